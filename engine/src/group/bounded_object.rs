//! Objects with a bound on the work of a search.

use crate::base::cancel::{Cancel, Limited, NoResult};
use crate::group::canonical_image::Object;
use std::cmp::Ordering;
use std::convert::Infallible;

/// An object that permits at most `limit` refinements and images; after that a search ends with
/// [`NoResult::Limit`].
pub struct Bounded<'a, 'b, O> {
    object: &'a mut O,
    calls: u64,
    limit: u64,
    cancel: &'b Cancel,
}

impl<'a, 'b, O> Bounded<'a, 'b, O> {
    pub fn new(object: &'a mut O, limit: u64, cancel: &'b Cancel) -> Self {
        Self { object, calls: 0, limit, cancel }
    }

    fn count_step(&mut self) -> Limited<()> {
        self.cancel.check()?;
        if self.calls == self.limit {
            return Err(NoResult::Limit);
        }
        self.calls += 1;
        Ok(())
    }
}

impl<O: Object<Error = Infallible>> Object for Bounded<'_, '_, O> {
    type Image = O::Image;
    type Error = NoResult;

    fn refine(&mut self, colours: &mut [u64]) -> Limited<()> {
        self.count_step()?;
        let Ok(()) = self.object.refine(colours);
        Ok(())
    }

    fn image(&mut self, element: &[u32], image: &mut O::Image) -> Limited<()> {
        self.count_step()?;
        let Ok(()) = self.object.image(element, image);
        Ok(())
    }

    fn compare(&self, left: &O::Image, right: &O::Image) -> Limited<Ordering> {
        let Ok(order) = self.object.compare(left, right);
        Ok(order)
    }
}
