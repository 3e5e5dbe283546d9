//! Numbers of states, labels and blocks, each of a type of its own, and of other things as they are.
//!
//! Slices and vectors are indexed by all of them: what a column is about its name says.

use bytemuck::{Pod, Zeroable};
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{Index, IndexMut};

/// No number: what stands for a place, a group or the like that is not there.
pub const NONE: u32 = u32::MAX;

mod sealed {
    pub trait Sealed {}
}

/// A number of something that sets and groups are made of.
pub trait Id: sealed::Sealed + Copy + Default + Ord + Hash + Debug + Into<u32> {
    /// The number of this value, which has 32 bits.
    fn from_usize(number: usize) -> Self;

    /// The place of what has this number.
    fn index(self) -> usize;
}

impl sealed::Sealed for u32 {}

impl Id for u32 {
    #[inline]
    fn from_usize(number: usize) -> Self {
        number as Self
    }

    #[inline]
    fn index(self) -> usize {
        self as usize
    }
}

macro_rules! ids {
    ($($(#[$says:meta])* $name:ident)*) => {$(
        $(#[$says])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
        #[repr(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// What stands for one that is not there.
            pub const NONE: Self = Self(NONE);

            /// The place of what has this number.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl sealed::Sealed for $name {}

        impl Id for $name {
            #[inline]
            fn from_usize(number: usize) -> Self {
                Self(number as u32)
            }

            #[inline]
            fn index(self) -> usize {
                self.index()
            }
        }

        impl From<$name> for u32 {
            #[inline]
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl From<$name> for u64 {
            #[inline]
            fn from(id: $name) -> Self {
                id.0.into()
            }
        }

        ids!(indexing [T], $name);
        ids!(indexing Vec<T>, $name);
    )*};
    (indexing $column:ty, $name:ident) => {
        impl<T> Index<$name> for $column {
            type Output = T;

            #[inline]
            fn index(&self, id: $name) -> &T {
                &self[id.0 as usize]
            }
        }

        impl<T> IndexMut<$name> for $column {
            #[inline]
            fn index_mut(&mut self, id: $name) -> &mut T {
                &mut self[id.0 as usize]
            }
        }
    };
}

ids! {
    /// A state of a system.
    State
    /// A label of a transition.
    Label
    /// A block of a partition of states.
    Block
}

impl Block {
    /// The block as a state of the system of blocks.
    #[inline]
    pub fn state(self) -> State {
        State(self.0)
    }
}
