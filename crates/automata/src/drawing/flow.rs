//! Pictures in rows, from left to right.

/// The space for pictures.
pub(super) struct Room {
    pub(super) margin: f64,
    pub(super) gap: f64,
    /// Maximum width of a row.
    pub(super) widest: f64,
}

/// The places of pictures.
pub(super) struct Flow {
    /// The upper left corner of each.
    pub(super) places: Vec<(f64, f64)>,
    /// Where the one furthest to the right ends.
    pub(super) right: f64,
    /// Where the last row ends.
    pub(super) bottom: f64,
}

impl Room {
    /// The places of pictures of these widths and heights.
    pub(super) fn flow(&self, sizes: impl Iterator<Item = (f64, f64)>) -> Flow {
        let (mut x, mut y, mut tallest) = (self.margin, self.margin, 0.0_f64);
        let (mut places, mut right) = (Vec::new(), 0.0_f64);
        for (width, height) in sizes {
            if x > self.margin && x + width > self.widest {
                (x, y) = (self.margin, y + tallest + self.gap);
                tallest = 0.0;
            }
            places.push((x, y));
            right = right.max(x + width);
            x += width + self.gap;
            tallest = tallest.max(height);
        }
        Flow { places, right, bottom: y + tallest }
    }
}
