//! What only the browser itself can tell about a frozen page: which font faces were really painted, and which elements
//! hide a closed shadow tree.
//!
//! One question per distinct font, not per element. It deliberately keeps the browser's style and document services
//! switched off outside of these questions: they cost every later change of the page something.

use chromiumoxide::cdp::browser_protocol::css::{
    DisableParams as CssDisable, EnableParams as CssEnable, GetPlatformFontsForNodeParams,
};
use chromiumoxide::cdp::browser_protocol::dom::{
    DescribeNodeParams, DisableParams as DomDisable, GetDocumentParams, RequestNodeParams, ShadowRootType,
};
use chromiumoxide::cdp::js_protocol::runtime::{
    EvaluateParams, GetPropertiesParams, ReleaseObjectGroupParams, RemoteObjectId,
};
use futures::future::join_all;

use super::error::Result;
use super::page::Page;
use crate::capture::{Capture, PaintedFace};

/// Name of the group of handles that these questions need, released together.
const HANDLES: &str = "loupe-freeze";

impl Page {
    /// Fills in the painted faces of every font and marks elements with closed shadow trees; `hosts` are the elements
    /// that might have one.
    ///
    /// # Errors
    /// The page or browser is gone. A single question without an answer leaves its field empty.
    pub(super) async fn ask_browser(&self, capture: &mut Capture, hosts: &[usize]) -> Result<()> {
        let handles = self.asked_nodes().await?;
        let (texts, elements) = handles.split_at(capture.fonts.len().min(handles.len()));
        let document = self.call(GetDocumentParams { depth: Some(0), pierce: None });
        let styles = self.call(CssEnable::default());
        document.await?;
        styles.await?;
        let painted = join_all(texts.iter().map(|text| self.painted_by(text))).await;
        for (font, faces) in capture.fonts.iter_mut().zip(painted) {
            font.painted = faces.unwrap_or_default();
        }
        let closed = join_all(elements.iter().map(|element| self.is_closed(element))).await;
        for (host, closed) in hosts.iter().zip(closed) {
            if let (Some(element), Ok(true)) = (capture.elements.get_mut(*host), closed) {
                element.opaque = Some("a closed shadow root".to_owned());
            }
        }
        // Nobody waits for these three; they are in the order of the session.
        drop(self.call(CssDisable::default()));
        drop(self.call(DomDisable::default()));
        drop(self.call(ReleaseObjectGroupParams::new(HANDLES)));
        Ok(())
    }

    /// Handles of the nodes that the agent has questions about, in its order.
    async fn asked_nodes(&self) -> Result<Vec<RemoteObjectId>> {
        let mut command = EvaluateParams::new("loupe.freeze({ phase: 'asked' })");
        command.unique_context_id = Some(self.our_world(&self.main_frame())?);
        command.object_group = Some(HANDLES.to_owned());
        let Some(list) = self.call(command).await?.result.object_id else { return Ok(Vec::new()) };
        let mut command = GetPropertiesParams::new(list);
        command.own_properties = Some(true);
        let mut nodes: Vec<(usize, RemoteObjectId)> = (self.call(command).await?.result.into_iter())
            .filter_map(|property| Some((property.name.parse().ok()?, property.value?.object_id?)))
            .collect();
        nodes.sort_by_key(|(index, _)| *index);
        Ok(nodes.into_iter().map(|(_, node)| node).collect())
    }

    async fn painted_by(&self, text: &RemoteObjectId) -> Result<Vec<PaintedFace>> {
        let node = self.call(RequestNodeParams::new(text.clone())).await?.node_id;
        let fonts = self.call(GetPlatformFontsForNodeParams::new(node)).await?.fonts;
        let mut faces: Vec<PaintedFace> = fonts
            .into_iter()
            .map(|f| PaintedFace { family: f.family_name, custom: f.is_custom_font, glyphs: f.glyph_count })
            .collect();
        faces.sort_by(|a, b| b.glyphs.total_cmp(&a.glyphs).then_with(|| a.family.cmp(&b.family)));
        Ok(faces)
    }

    async fn is_closed(&self, element: &RemoteObjectId) -> Result<bool> {
        let node = self.call(DescribeNodeParams { object_id: Some(element.clone()), ..Default::default() }).await?.node;
        let roots = node.shadow_roots.unwrap_or_default();
        Ok(roots.iter().any(|root| root.shadow_root_type == Some(ShadowRootType::Closed)))
    }
}
