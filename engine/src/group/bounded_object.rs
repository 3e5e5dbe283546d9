//! Objects that searches ask only so much.

use crate::base::cancel::{Poll, Stop};
use crate::group::canonical_image::Object;
use std::cmp::Ordering;
use std::convert::Infallible;

/// Questions between two calls of `poll`.
const POLL_EVERY: u64 = 1 << 10;

/// An object that answers so many questions and no more.
pub struct Bounded<'a, 'b, O> {
    object: &'a mut O,
    asked: u64,
    limit: u64,
    poll: Poll<'b>,
}

impl<'a, 'b, O> Bounded<'a, 'b, O> {
    pub fn new(object: &'a mut O, limit: u64, poll: Poll<'b>) -> Self {
        Self { object, asked: 0, limit, poll }
    }

    fn ask(&mut self) -> Result<(), Stop> {
        if self.asked.is_multiple_of(POLL_EVERY) && !(self.poll)() {
            return Err(Stop::Interrupted);
        }
        if self.asked == self.limit {
            return Err(Stop::Limit);
        }
        self.asked += 1;
        Ok(())
    }
}

impl<O: Object<Trouble = Infallible>> Object for Bounded<'_, '_, O> {
    type Image = O::Image;
    type Trouble = Stop;

    fn refine(&mut self, colours: &mut [u64]) -> Result<(), Stop> {
        self.ask()?;
        let Ok(()) = self.object.refine(colours);
        Ok(())
    }

    fn image(&mut self, element: &[u32], image: &mut O::Image) -> Result<(), Stop> {
        self.ask()?;
        let Ok(()) = self.object.image(element, image);
        Ok(())
    }

    fn compare(&self, one: &O::Image, other: &O::Image) -> Result<Ordering, Stop> {
        let Ok(order) = self.object.compare(one, other);
        Ok(order)
    }
}
