//! Boxes in CSS pixels.
//!
//! It deliberately knows no transforms: a rotated element has the box that encloses it.

use serde::{Deserialize, Serialize};

/// An axis-parallel box, stored as `[x, y, width, height]`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "[f64; 4]", into = "[f64; 4]")]
pub struct Rect {
    /// Left edge from the left of the document.
    pub x: f64,
    /// Top edge from the top of the document.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

impl From<[f64; 4]> for Rect {
    fn from([x, y, width, height]: [f64; 4]) -> Self {
        Self { x, y, width, height }
    }
}

impl From<Rect> for [f64; 4] {
    fn from(r: Rect) -> Self {
        [r.x, r.y, r.width, r.height]
    }
}

impl Rect {
    /// Right edge.
    pub fn right(self) -> f64 {
        self.x + self.width
    }

    /// Bottom edge.
    pub fn bottom(self) -> f64 {
        self.y + self.height
    }

    /// Area in square pixels.
    pub fn area(self) -> f64 {
        self.width * self.height
    }

    /// The point in the middle.
    pub fn centre(self) -> (f64, f64) {
        (self.x + self.width / 2.0, self.y + self.height / 2.0)
    }

    /// Whether a point lies in the box or on its edge.
    pub fn contains(self, (x, y): (f64, f64)) -> bool {
        x >= self.x && x <= self.right() && y >= self.y && y <= self.bottom()
    }

    /// The part that two boxes share, if it has an area.
    pub fn intersection(self, other: Self) -> Option<Self> {
        let (x, y) = (self.x.max(other.x), self.y.max(other.y));
        let (width, height) = (self.right().min(other.right()) - x, self.bottom().min(other.bottom()) - y);
        (width > 0.0 && height > 0.0).then_some(Self { x, y, width, height })
    }

    /// The smallest box around both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        Self { x, y, width: self.right().max(other.right()) - x, height: self.bottom().max(other.bottom()) - y }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_boxes_share_nothing() {
        let left = Rect::from([0.0, 0.0, 10.0, 10.0]);
        assert_eq!(left.intersection(Rect::from([10.0, 0.0, 5.0, 5.0])), None);
        assert_eq!(left.intersection(Rect::from([8.0, 4.0, 5.0, 5.0])), Some(Rect::from([8.0, 4.0, 2.0, 5.0])));
        assert_eq!(left.union(Rect::from([20.0, -5.0, 5.0, 5.0])), Rect::from([0.0, -5.0, 25.0, 15.0]));
    }
}
