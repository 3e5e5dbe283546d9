//! Strictness analysis: which arguments of symbols are strict.

use crate::base::ids::Id;
use crate::data::automaton::{Automaton, Node, NodeId, Rule};
use crate::data::compile::program::bit;
use crate::data::terms::{Head, NONE, Term, Terms};
use rustc_hash::FxHashSet;

/// The lazy arguments of every symbol. Strictness is the greatest solution of: an argument is
/// strict if every path through the automaton needs it.
pub(crate) fn lazy_arguments(
    terms: &Terms,
    rules: &[Rule],
    by_head: &[Vec<u32>],
    automata: &[Option<Automaton>],
) -> Vec<u64> {
    let mut lazy = vec![0u64; automata.len()];
    // For each symbol those whose rules contain it on the right or in a condition.
    let mut users: Vec<Vec<u32>> = vec![Vec::new(); automata.len()];
    for (symbol, numbers) in by_head.iter().enumerate() {
        let mut mentioned = FxHashSet::default();
        for &number in numbers {
            let rule = rules[number as usize];
            let mut waiting = vec![rule.right];
            waiting.extend((rule.condition != NONE).then_some(rule.condition));
            while let Some(term) = waiting.pop() {
                if let Head::Symbol(inner) = terms.head(term) {
                    mentioned.insert(inner);
                    waiting.extend(terms.children(term));
                }
            }
        }
        for inner in mentioned {
            users[inner as usize].push(u32::at(symbol));
        }
    }
    let mut waiting: Vec<u32> = (0..u32::at(automata.len())).rev().collect();
    let mut queued = vec![true; automata.len()];
    while let Some(symbol) = waiting.pop() {
        queued[symbol as usize] = false;
        let Some(automaton) = &automata[symbol as usize] else { continue };
        let arity = terms.arity(symbol);
        let all = (0..arity).fold(0, |all, argument| all | bit(argument));
        // Native operations need all arguments first.
        let arguments = match terms.symbols[symbol as usize].native {
            Some(_) => 0,
            None => all & !strict(terms, rules, automaton, all, &lazy),
        };
        if arguments != lazy[symbol as usize] {
            lazy[symbol as usize] = arguments;
            for &user in &users[symbol as usize] {
                if !std::mem::replace(&mut queued[user as usize], true) {
                    waiting.push(user);
                }
            }
        }
    }
    lazy
}

/// The arguments needed on every path through an automaton, except for the branches of open terms.
fn strict(terms: &Terms, rules: &[Rule], automaton: &Automaton, all: u64, lazy: &[u64]) -> u64 {
    let mut known: Vec<Option<u64>> = vec![None; automaton.nodes.len()];
    let mut waiting = vec![(automaton.root, false)];
    while let Some((node, visited)) = waiting.pop() {
        if known[node].is_some() {
            continue;
        }
        let mut next: Vec<NodeId> = Vec::new();
        let own = match &automaton.nodes[node] {
            Node::Stuck => all,
            Node::Apply { rule, registers } => {
                let mut own = 0;
                for v in needed_variables(terms, rules[*rule as usize].right, lazy) {
                    own |= bit(registers[v as usize] as usize);
                }
                own
            }
            Node::Switch { register, cases, other, .. } => {
                next.extend(cases.iter().map(|case| case.next));
                next.push(*other);
                bit(*register as usize)
            }
            Node::Same { left, right, yes, no, .. } => {
                next.extend([*yes, *no]);
                bit(*left as usize) | bit(*right as usize)
            }
            Node::Guard { condition, registers, yes, no, .. } => {
                next.extend([*yes, *no]);
                let needed = needed_variables(terms, *condition, lazy);
                needed.into_iter().fold(0, |all, v| all | bit(registers[v as usize] as usize))
            }
            Node::Reset { next: target, .. } => {
                next.push(*target);
                0
            }
        };
        if visited || next.is_empty() {
            let inner = next.iter().map(|&n| known[n].unwrap_or(all)).reduce(|a, b| a & b);
            known[node] = Some((own | inner.unwrap_or(0)) & all);
        } else {
            waiting.push((node, true));
            waiting.extend(next.into_iter().map(|n| (n, false)));
        }
    }
    known[automaton.root].unwrap_or(all)
}

/// The variables whose normal form is certainly needed for the normal form of a term.
fn needed_variables(terms: &Terms, term: Term, lazy: &[u64]) -> Vec<u32> {
    let mut variables = Vec::new();
    let mut waiting = vec![term];
    while let Some(term) = waiting.pop() {
        match terms.head(term) {
            Head::Variable(v) => variables.push(v),
            Head::Numeral(_) => {}
            Head::Symbol(symbol) => {
                for (argument, &child) in terms.children(term).iter().enumerate() {
                    if !terms.is_ground(child) && lazy[symbol as usize] & bit(argument) == 0 {
                        waiting.push(child);
                    }
                }
            }
        }
    }
    variables
}
