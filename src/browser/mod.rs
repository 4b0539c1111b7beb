//! The room of the browser: everything that speaks to a Chromium.
//!
//! From below upwards: `find` and `launch` bring up the process, `wire` carries commands and events, `hub` knows the
//! pages, `state` what each of them does, `page` asks its agent; `navigate`, `input`, `action` and `shot` are what a
//! person does with a page. All CDP and all async end here, and every wait has a deadline and says what it waited for.
//! It deliberately knows no script and no record.

mod action;
pub mod agent;
mod audit;
mod error;
pub mod find;
mod freeze;
mod grammar;
mod hook;
mod hub;
mod input;
mod keys;
mod launch;
pub mod locator;
mod look;
mod navigate;
mod network;
mod page;
mod painted;
mod profile;
mod renew;
mod ring;
mod shot;
mod sighting;
mod state;
mod wire;

pub use action::Patience;
pub use audit::{Audited, Axe, Element, Found, Rule};
pub use error::{Error, Result};
pub use freeze::{Freeze, Frozen};
pub use hub::Browser;
pub use keys::{Key, Modifiers};
pub use launch::Reach;
pub use look::Look;
pub use navigate::Arrival;
pub use network::Request;
pub use page::{FrameId, Page};
pub use ring::Ring;
pub use shot::Clip;
pub use sighting::{Sight, Sighting};
pub use state::DialogAnswer;
