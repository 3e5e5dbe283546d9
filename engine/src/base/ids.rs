//! Index types: states, labels and blocks each have a type of their own, so that they cannot be
//! mixed up.
//!
//! Slices and vectors can be indexed by all of them; what a column is indexed by follows from its
//! name.

use bytemuck::{Pod, Zeroable};
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{Index, IndexMut};

/// The invalid number: stands for a place, group or the like that does not exist.
pub const NONE: u32 = u32::MAX;

mod sealed {
    pub trait Sealed {}
}

/// An index type that sets and groups can be made of.
pub trait Id: sealed::Sealed + Copy + Default + Ord + Hash + Debug + Into<u32> {
    /// The value with this number, which must fit into 32 bits.
    fn from_usize(number: usize) -> Self;

    /// The value as an index into a slice.
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
            /// The invalid value, for something that does not exist.
            pub const NONE: Self = Self(NONE);

            /// The value as an index into a slice.
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
    /// The block as a state of the quotient.
    #[inline]
    pub fn state(self) -> State {
        State(self.0)
    }
}
