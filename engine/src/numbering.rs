//! Numbering states breadth first.

/// Numbers the states reachable from `initial` breadth first, the transitions of a state in the
/// order of the columns (source, label, target); returns the columns sorted by new source, without
/// transitions of unreachable states, and how many states there are.
pub fn breadth_first(initial: u32, states: usize, columns: &[Vec<u32>; 3]) -> ([Vec<u32>; 3], u32) {
    const UNSEEN: u32 = u32::MAX;
    let [source, label, target] = columns;
    let mut starts = vec![0usize; states + 1];
    for &s in source {
        starts[s as usize + 1] += 1;
    }
    for s in 0..states {
        starts[s + 1] += starts[s];
    }
    let mut next = starts.clone();
    let mut by_source = vec![0usize; source.len()];
    for (t, &s) in source.iter().enumerate() {
        by_source[next[s as usize]] = t;
        next[s as usize] += 1;
    }
    let mut number = vec![UNSEEN; states];
    let mut order = vec![initial];
    number[initial as usize] = 0;
    let mut result: [Vec<u32>; 3] = Default::default();
    let mut at = 0;
    while at < order.len() {
        let state = order[at] as usize;
        for &t in &by_source[starts[state]..starts[state + 1]] {
            let reached = target[t] as usize;
            if number[reached] == UNSEEN {
                number[reached] = order.len() as u32;
                order.push(reached as u32);
            }
            result[0].push(at as u32);
            result[1].push(label[t]);
            result[2].push(number[reached]);
        }
        at += 1;
    }
    (result, order.len() as u32)
}
