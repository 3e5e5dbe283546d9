//! Index types: states, labels and blocks each have a type of their own, so that they cannot be
//! mixed up.
//!
//! Slices and vectors can be indexed by all of them; what a column is indexed by follows from its
//! name.

use bytemuck::{Pod, Zeroable};
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{Index, IndexMut};
use std::panic::resume_unwind;

/// The invalid number: stands for an index, group or the like that does not exist.
pub const NONE: u32 = u32::MAX;

/// The payload of the panic that ends work with more numbers than 32 bits have, which would take
/// some ten gigabytes at least. The bindings make an error of it.
#[derive(Debug)]
pub struct TooMany;

#[cold]
#[inline(never)]
fn too_many() -> ! {
    // Without the message of a panic, which is that of a defect.
    resume_unwind(Box::new(TooMany))
}

/// A number of 64 bits as an index into a slice; where addresses are shorter, the work ends if it
/// does not fit.
#[inline]
pub fn as_index(number: u64) -> usize {
    usize::try_from(number).unwrap_or_else(|_| too_many())
}

mod sealed {
    pub trait Sealed {}
}

/// An index type that sets and groups can be made of.
pub trait Id: sealed::Sealed + Copy + Default + Ord + Hash + Debug + Into<u32> {
    /// The value with this number. If it does not fit into 32 bits, the work ends ([`TooMany`]):
    /// numbers never wrap.
    fn at(number: impl TryInto<u32>) -> Self;

    /// The value as an index into a slice.
    fn index(self) -> usize;
}

impl sealed::Sealed for u32 {}

impl Id for u32 {
    #[inline]
    fn at(number: impl TryInto<u32>) -> Self {
        number.try_into().unwrap_or_else(|_| too_many())
    }

    #[inline]
    fn index(self) -> usize {
        self as usize
    }
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
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
            fn at(number: impl TryInto<u32>) -> Self {
                Self(u32::at(number))
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::panic::catch_unwind;

    proptest! {
        #[test]
        fn numbers_never_wrap(above in 0u64..1 << 40, low: u32) {
            prop_assert_eq!(State::at(u64::from(low)).0, low);
            let number = (1 << 32) + above;
            let payload = catch_unwind(|| u32::at(number)).unwrap_err();
            prop_assert!(payload.is::<TooMany>());
        }
    }
}
