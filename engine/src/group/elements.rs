//! Elements of a group under numbers, each kept once.

use super::permutation::identity;
use crate::rows::Rows;

/// The number of the identity.
pub const IDENTITY: u32 = 0;

/// Elements as their images of the points; number 0 is the identity.
#[derive(Clone)]
pub struct Elements {
    rows: Rows,
    row: Vec<u32>,
}

impl Elements {
    pub fn new(points: usize) -> Self {
        let mut rows = Rows::new(points);
        rows.intern(&identity(points));
        Self { rows, row: Vec::with_capacity(points) }
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        false
    }

    pub fn get(&self, element: u32) -> &[u32] {
        self.rows.get(element)
    }

    pub fn intern(&mut self, images: &[u32]) -> u32 {
        self.rows.intern(images).0
    }

    /// The product that maps x to left(right(x)).
    pub fn compose(&mut self, left: u32, right: u32) -> u32 {
        if left == IDENTITY {
            return right;
        }
        if right == IDENTITY {
            return left;
        }
        self.row.clear();
        let (left, right) = (self.rows.get(left), self.rows.get(right));
        self.row.extend(right.iter().map(|&x| left[x as usize]));
        self.rows.intern(&self.row).0
    }

    pub fn inverse(&mut self, element: u32) -> u32 {
        if element == IDENTITY {
            return IDENTITY;
        }
        let images = self.rows.get(element);
        self.row.clear();
        self.row.resize(images.len(), 0);
        for (x, &image) in images.iter().enumerate() {
            self.row[image as usize] = x as u32;
        }
        self.rows.intern(&self.row).0
    }
}
