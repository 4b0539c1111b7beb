//! Captures of real pages in a real Chromium: what is written down, what is pictured, and how a page is left.
//!
//! One browser serves all of these tests. They deliberately assert no absolute times.

mod data;
mod pictures;
mod rest;
mod stage;
