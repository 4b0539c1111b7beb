//! How a page is looked at: the size and kind of device, and what its owner prefers.
//!
//! Metrics, touch, pointer media and user agent are always set together: a narrow desktop is not a phone.

use chromiumoxide::cdp::browser_protocol::emulation::{
    MediaFeature, SetDeviceMetricsOverrideParams, SetEmulatedMediaParams, SetTouchEmulationEnabledParams,
    SetUserAgentOverrideParams, UserAgentMetadata,
};

use super::wire::Wire;

/// A device and its owner's preferences.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// Width of the viewport in CSS px.
    pub width: u32,
    /// Height of the viewport in CSS px.
    pub height: u32,
    /// Device pixels per CSS px.
    pub scale: f64,
    /// A phone: touch, coarse pointer, no hover, `<meta name=viewport>` honoured, a mobile user agent.
    pub mobile: bool,
    /// `prefers-color-scheme: dark`.
    pub dark: bool,
    /// `prefers-reduced-motion: reduce`.
    pub reduced_motion: bool,
    /// `prefers-contrast: more`.
    pub more_contrast: bool,
    /// `forced-colors: active`.
    pub forced_colors: bool,
    /// `print` instead of `screen`.
    pub print: bool,
}

impl Default for Look {
    /// A desktop of 1440 x 1000, light, at scale 1.
    fn default() -> Self {
        Self {
            width: 1440,
            height: 1000,
            scale: 1.0,
            mobile: false,
            dark: false,
            reduced_motion: false,
            more_contrast: false,
            forced_colors: false,
            print: false,
        }
    }
}

impl Look {
    /// Sends everything, without waiting; `agent` is the browser's own user agent.
    pub(super) fn apply(&self, wire: &Wire, session: &str, agent: &str) {
        let metrics = SetDeviceMetricsOverrideParams::new(self.width, self.height, self.scale, self.mobile);
        wire.tell(Some(session), metrics);
        let mut touch = SetTouchEmulationEnabledParams::new(self.mobile);
        touch.max_touch_points = self.mobile.then_some(5);
        wire.tell(Some(session), touch);
        wire.tell(Some(session), self.user_agent(agent));
        wire.tell(Some(session), self.media());
    }

    fn media(&self) -> SetEmulatedMediaParams {
        let features = [
            ("prefers-color-scheme", if self.dark { "dark" } else { "light" }),
            ("prefers-reduced-motion", if self.reduced_motion { "reduce" } else { "no-preference" }),
            ("prefers-contrast", if self.more_contrast { "more" } else { "no-preference" }),
            ("forced-colors", if self.forced_colors { "active" } else { "none" }),
        ];
        SetEmulatedMediaParams {
            media: Some(if self.print { "print" } else { "" }.to_owned()),
            features: Some(features.map(|(name, value)| MediaFeature::new(name, value)).into()),
        }
    }

    fn user_agent(&self, agent: &str) -> SetUserAgentOverrideParams {
        // The word "Headless" makes some pages behave differently from what people see.
        let desktop = agent.replace("HeadlessChrome", "Chrome");
        if !self.mobile {
            return SetUserAgentOverrideParams::new(desktop);
        }
        let version = desktop.split("Chrome/").nth(1).and_then(|v| v.split(' ').next()).unwrap_or("100.0.0.0");
        let mut phone = SetUserAgentOverrideParams::new(format!(
            "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{version} Mobile Safari/537.36"
        ));
        phone.platform = Some("Linux armv8l".to_owned());
        phone.user_agent_metadata = Some(UserAgentMetadata {
            brands: None,
            full_version_list: None,
            platform: "Android".to_owned(),
            platform_version: "14".to_owned(),
            architecture: "arm".to_owned(),
            model: "Pixel 8".to_owned(),
            mobile: true,
            bitness: None,
            wow64: None,
            form_factors: None,
        });
        phone
    }
}
