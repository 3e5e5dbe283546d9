//! Elements of a group, numbered; each is stored once.

use crate::base::ids::Id;
use crate::base::ids::NONE;
use crate::base::interner::Interner;
use crate::group::permutation::identity;

/// The number of the identity.
pub const IDENTITY: u32 = 0;

/// Products of elements with numbers below this are cached.
const FEW: u32 = 256;

/// Elements as their images of the points; number 0 is the identity.
#[derive(Clone)]
pub struct Elements {
    interned: Interner,
    scratch: Vec<u32>,
    /// The product of each of the first [`FEW`] elements with each of them, filled on demand.
    products: Vec<u32>,
}

impl Elements {
    pub fn new(points: usize) -> Self {
        let mut interned = Interner::default();
        interned.intern(&identity(points));
        Self { interned, scratch: Vec::with_capacity(points), products: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.interned.len()
    }

    pub fn is_empty(&self) -> bool {
        false
    }

    pub fn get(&self, element: u32) -> &[u32] {
        self.interned.get(element)
    }

    pub fn intern(&mut self, images: &[u32]) -> u32 {
        self.interned.intern(images).0
    }

    /// Whether the product of these elements is cached once it is computed.
    pub fn is_remembered(left: u32, right: u32) -> bool {
        left.max(right) < FEW
    }

    /// The product that maps x to left(right(x)).
    pub fn compose(&mut self, left: u32, right: u32) -> u32 {
        if left == IDENTITY {
            return right;
        }
        if right == IDENTITY {
            return left;
        }
        let is_few = Self::is_remembered(left, right);
        let position = left as usize * FEW as usize + right as usize;
        if is_few {
            if self.products.is_empty() {
                self.products.resize((FEW * FEW) as usize, NONE);
            }
            if self.products[position] != NONE {
                return self.products[position];
            }
        }
        self.scratch.clear();
        let (left, right) = (self.interned.get(left), self.interned.get(right));
        self.scratch.extend(right.iter().map(|&x| left[x as usize]));
        let product = self.interned.intern(&self.scratch).0;
        if is_few {
            self.products[position] = product;
        }
        product
    }

    pub fn inverse(&mut self, element: u32) -> u32 {
        if element == IDENTITY {
            return IDENTITY;
        }
        let images = self.interned.get(element);
        self.scratch.clear();
        self.scratch.resize(images.len(), 0);
        for (x, &image) in images.iter().enumerate() {
            self.scratch[image as usize] = u32::at(x);
        }
        self.interned.intern(&self.scratch).0
    }
}
