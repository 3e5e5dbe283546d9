//! Items grouped by a number, all groups in one array.

use crate::base::cancel::{Cancel, Result};
use crate::base::ids::Id;
use crate::base::memory;
use bytemuck::Zeroable;
use std::iter;
use std::marker::PhantomData;

/// Items grouped by a number (a state, a label, ...).
///
/// Invariant: group g is `items[starts[g]..starts[g + 1]]`, in the order in which its items were
/// given.
pub struct Grouped<I, T> {
    starts: Vec<u32>,
    items: Vec<T>,
    of: PhantomData<I>,
}

impl<I: Id, T: Copy + Zeroable> Grouped<I, T> {
    /// Groups pairs (group, item); every group is less than `groups`. The iterator is run twice.
    pub fn new(groups: usize, items: impl Iterator<Item = (I, T)> + Clone) -> Self {
        Self::checked(groups, || items.clone(), &Cancel::never()).expect("it is never interrupted")
    }

    /// Like [`Grouped::new`], but can be stopped.
    pub fn checked<Items: Iterator<Item = (I, T)>>(
        groups: usize,
        items: impl Fn() -> Items,
        cancel: &Cancel,
    ) -> Result<Self> {
        // Shifted by two: filling advances entry g + 1 from the start of group g to its end.
        let mut starts = vec![0u32; groups + 2];
        let mut count = 0usize;
        items().try_for_each(|(group, _)| {
            starts[group.index() + 2] += 1;
            count += 1;
            cancel.check_at(count)
        })?;
        assert!(u32::try_from(count).is_ok(), "items are numbered with 32 bits");
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut placed: Vec<T> = memory::zeroed(count);
        let mut left = count;
        items().try_for_each(|(group, item)| {
            let position = &mut starts[group.index() + 1];
            placed[*position as usize] = item;
            *position += 1;
            left -= 1;
            cancel.check_at(left)
        })?;
        starts.pop();
        Ok(Self { starts, items: placed, of: PhantomData })
    }

    /// The number of groups.
    pub fn groups(&self) -> usize {
        self.starts.len() - 1
    }

    /// All items, group by group.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// The range of the items of a group within [`Grouped::items`].
    pub fn range(&self, group: I) -> std::ops::Range<usize> {
        let group = group.index();
        self.starts[group] as usize..self.starts[group + 1] as usize
    }

    /// The items of a group.
    #[inline]
    pub fn of(&self, group: I) -> &[T] {
        let group = group.index();
        &self.items[self.starts[group] as usize..self.starts[group + 1] as usize]
    }

    /// Every group, mutable.
    pub fn groups_mut(&mut self) -> impl Iterator<Item = &mut [T]> {
        let Self { starts, items, .. } = self;
        let mut rest = &mut items[..];
        let lengths = starts.windows(2).map(|pair| (pair[1] - pair[0]) as usize);
        let mut lengths = lengths.collect::<Vec<_>>().into_iter();
        iter::from_fn(move || {
            let (group, others) = std::mem::take(&mut rest).split_at_mut(lengths.next()?);
            rest = others;
            Some(group)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::cancel::CHECK_EVERY;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_group_has_its_items_in_order(items in prop::collection::vec((0u32..5, any::<u32>()), 0..40)) {
            let mut grouped = Grouped::new(5, items.iter().copied());
            let own = |group| items.iter().filter(move |item| item.0 == group).map(|item| item.1);
            for group in 0..5 {
                prop_assert!(grouped.of(group).iter().copied().eq(own(group)));
            }
            let all: Vec<Vec<u32>> = grouped.groups_mut().map(|group| group.to_vec()).collect();
            prop_assert_eq!(all, (0..5).map(|group| own(group).collect()).collect::<Vec<Vec<u32>>>());
        }
    }

    #[test]
    fn interrupted_grouping_is_an_error() {
        let many = || (0..CHECK_EVERY as u32).map(|item| (0u32, item));
        for allowed in 0..3 {
            let cancel = Cancel::after(allowed);
            assert_eq!(Grouped::checked(1, many, &cancel).is_ok(), allowed == 2);
        }
    }
}
