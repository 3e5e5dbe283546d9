//! Paths from the predecessors that a search stored.

/// The steps of the path to `end`: `last` yields, for a node that is not the beginning, the node
/// before it and the step from there.
pub fn path_to<P: Copy, S>(end: P, mut last: impl FnMut(P) -> Option<(P, S)>) -> Vec<S> {
    let (mut at, mut steps) = (end, Vec::new());
    while let Some((before, step)) = last(at) {
        steps.push(step);
        at = before;
    }
    steps.reverse();
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_in_the_order_of_the_path() {
        assert_eq!(path_to(8u32, |at| (at > 1).then_some((at / 2, at % 3))), [2, 1, 2]);
        assert!(path_to(1u32, |at| (at > 1).then_some((at / 2, at))).is_empty());
    }
}
