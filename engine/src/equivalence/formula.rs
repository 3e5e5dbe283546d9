//! Formulas of Hennessy-Milner logic that tell two states apart (Cleaveland, On automatically
//! explaining bisimulation inequivalence, 1990), of least depth.

use super::graph::Graph;
use rustc_hash::FxHashMap;

/// A formula; a conjunction of nothing is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    And(Vec<Formula>),
    Not(Box<Formula>),
    /// A transition with this label leads to a state where the formula holds.
    Can(u32, Box<Formula>),
}

impl Formula {
    /// Whether the formula holds in a state.
    pub fn holds(&self, graph: &Graph, state: u32) -> bool {
        match self {
            Self::And(parts) => parts.iter().all(|part| part.holds(graph, state)),
            Self::Not(inner) => !inner.holds(graph, state),
            Self::Can(label, inner) => {
                graph.steps(state).any(|(a, t)| a == *label && inner.holds(graph, t))
            }
        }
    }

    /// Text with `<` and `>` around the text of labels (doubled for weak transitions).
    pub fn show(&self, label: &dyn Fn(u32) -> String, weak: bool) -> String {
        match self {
            Self::And(parts) if parts.is_empty() => "true".into(),
            Self::And(parts) => {
                let shown: Vec<String> = parts.iter().map(|part| part.show(label, weak)).collect();
                if shown.len() == 1 {
                    shown[0].clone()
                } else {
                    format!("({})", shown.join(" && "))
                }
            }
            Self::Not(inner) => format!("!{}", inner.show(label, weak)),
            Self::Can(a, inner) => {
                let (open, close) = if weak { ("<<", ">>") } else { ("<", ">") };
                format!("{open}{}{close}{}", label(*a), inner.show(label, weak))
            }
        }
    }
}

/// Most rounds and parts that a formula may take: deeper or larger ones explain nothing.
const MOST_ROUNDS: usize = 1000;
const MOST_PARTS: usize = 1000;

/// A formula that holds in `left` and not in `right`; none if they are bisimilar, or if it would be
/// too large. It has been checked to do so.
pub fn distinguish(graph: &Graph, left: u32, right: u32) -> Option<Formula> {
    let mut rounds: Vec<Vec<u32>> = vec![vec![0; graph.states]];
    let mut count = 1;
    while rounds[rounds.len() - 1][left as usize] == rounds[rounds.len() - 1][right as usize] {
        if rounds.len() > MOST_ROUNDS {
            return None;
        }
        let last = &rounds[rounds.len() - 1];
        let mut numbers: FxHashMap<(u32, Vec<(u32, u32)>), u32> = FxHashMap::default();
        let mut next = Vec::with_capacity(graph.states);
        for state in 0..graph.states as u32 {
            let mut signature: Vec<(u32, u32)> =
                graph.steps(state).map(|(a, t)| (a, last[t as usize])).collect();
            signature.sort_unstable();
            signature.dedup();
            let new = numbers.len() as u32;
            next.push(*numbers.entry((last[state as usize], signature)).or_insert(new));
        }
        if numbers.len() == count {
            return None;
        }
        count = numbers.len();
        rounds.push(next);
    }
    let mut parts = 0;
    let formula = tell(graph, &rounds, left, right, &mut parts)?;
    assert!(
        formula.holds(graph, left) && !formula.holds(graph, right),
        "a distinguishing formula must distinguish"
    );
    Some(formula)
}

/// A formula for two states that some round has apart.
fn tell(
    graph: &Graph,
    rounds: &[Vec<u32>],
    left: u32,
    right: u32,
    parts: &mut usize,
) -> Option<Formula> {
    *parts += 1;
    if *parts > MOST_PARTS {
        return None;
    }
    let apart = |round: &Vec<u32>| round[left as usize] != round[right as usize];
    let depth = rounds.iter().position(apart)?;
    let before = &rounds[depth - 1];
    for (from, to, negated) in [(left, right, false), (right, left, true)] {
        // A step of one that the other cannot answer; the one with fewest answers to refute.
        let unanswered = graph
            .steps(from)
            .filter(|&(a, t)| {
                !graph.steps(to).any(|(b, u)| a == b && before[t as usize] == before[u as usize])
            })
            .min_by_key(|&(a, _)| graph.steps(to).filter(|&(b, _)| a == b).count());
        let Some((label, target)) = unanswered else { continue };
        let mut refuted = Vec::new();
        let mut answers: Vec<u32> =
            graph.steps(to).filter(|&(b, _)| b == label).map(|(_, u)| u).collect();
        answers.sort_unstable_by_key(|&u| (before[u as usize], u));
        answers.dedup_by_key(|u| before[*u as usize]);
        for answer in answers {
            let part = tell(graph, rounds, target, answer, parts)?;
            if !refuted.contains(&part) {
                refuted.push(part);
            }
        }
        let formula = Formula::Can(label, Box::new(Formula::And(refuted)));
        return Some(if negated { Formula::Not(Box::new(formula)) } else { formula });
    }
    None
}
