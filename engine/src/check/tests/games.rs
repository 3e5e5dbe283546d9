//! Parity games of random systems and formulas, given as a whole or explored on request, against
//! the truth of the formula by its definition.

use crate::base::cancel::Cancel;
use crate::base::ids::{Label, State};
use crate::base::random::Random;
use crate::check::data_formula::Coded;
use crate::check::on_the_fly::evidence::Evidence;
use crate::check::on_the_fly::question::Question;
use crate::check::on_the_fly::{Checked, check};
use crate::check::parity_game::formula::Parts;
use crate::check::parity_game::game::Arena;
use crate::check::parity_game::play::{own_play, play};
use crate::check::parity_game::zielonka::{Solution, evidence, solve};
use crate::check::tests::{LABELS, Node, Nodes, System, label_of};
use crate::data::rewrite::Data;
use crate::data::terms::{Kind, Symbol};
use crate::orbits::statistics::{Callbacks, OrbitOptions};
use crate::process::explore::{Incomplete, Limits};
use crate::process::goals::Query;
use crate::process::linear::Process;
use crate::process::linear::synchronisation::{Synchronisation, moves};
use crate::symmetry_of_process::lifting::symmetry::Symmetry;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

/// The nodes of a graph that lie on a cycle of it.
fn on_cycles(nodes: &BTreeSet<u32>, edges: &BTreeSet<(u32, u32)>) -> BTreeSet<u32> {
    let from = |start: u32| {
        let (mut reached, mut waiting) = (BTreeSet::new(), vec![start]);
        while let Some(at) = waiting.pop() {
            for &(_, to) in edges.iter().filter(|&&(s, t)| s == at && nodes.contains(&t)) {
                if reached.insert(to) {
                    waiting.push(to);
                }
            }
        }
        reached
    };
    nodes.iter().copied().filter(|&node| from(node).contains(&node)).collect()
}

/// Whether every play from the positions that a player wins, in which that player follows the
/// strategy, is won by it.
fn wins(arena: &Arena, solution: &Solution, player: u8) -> bool {
    let won: BTreeSet<u32> = (0..arena.len() as u32)
        .filter(|&position| solution.winner[position as usize] == player)
        .collect();
    let mut edges = BTreeSet::new();
    for &position in &won {
        let own = arena.owner[position as usize] == player;
        if own && !arena.edges(position).contains(&(solution.choice(position) as usize)) {
            return false;
        }
        let taken = arena
            .edges(position)
            .filter(|&edge| !own || edge == solution.choice(position) as usize);
        edges.extend(taken.map(|edge| (position, arena.targets[edge])));
    }
    let priority = |position: u32| arena.priority[position as usize];
    edges.iter().all(|(_, target)| won.contains(target))
        && won.iter().all(|&position| {
            let below: BTreeSet<u32> = won
                .iter()
                .copied()
                .filter(|&other| priority(other) <= priority(position))
                .collect();
            let edges = edges.iter().copied().filter(|(source, _)| below.contains(source));
            priority(position) % 2 == u32::from(player)
                || !on_cycles(&below, &edges.collect()).contains(&position)
        })
}

#[test]
fn games_are_won_iff_the_formula_holds() {
    let mut random = Random(0x1234_5678_9abc_def1);
    let [mut held, mut failed, mut shown] = [0; 3];
    for _ in 0..1_200 {
        let system = System::random(&mut random, 0);
        let (nodes, root) = Nodes::random(&mut random);
        let (lts, cancel) = (system.lts(), Cancel::never());
        let states = (0..system.states as u32).map(State);
        let mut parts = Parts::new(nodes.clone());
        let arena = Arena::new(&lts, &mut parts, root as u32, states, usize::MAX, &cancel);
        let arena = arena.expect("it is small");
        let solution = solve(&arena, &cancel).expect("nothing stops it");
        let expected = nodes.holds(root, &system, &mut Vec::new());
        for state in 0..system.states {
            let holds = solution.winner[state] == 0;
            assert_eq!(holds, expected.contains(&state), "{nodes:?} {system:?} {state}");
            *if holds { &mut held } else { &mut failed } += 1;
        }
        assert!(wins(&arena, &solution, 0) && wins(&arena, &solution, 1), "{nodes:?} {system:?}");
        let shown_steps = evidence(&arena, &solution);
        let transitions = shown_steps.iter().map(|&at| system.transitions[at as usize]).collect();
        let part = System { transitions, ..system.clone() };
        if nodes.is_about_steps() {
            let holds = expected.contains(&0);
            assert_eq!(nodes.holds_in(root, &part, 0), holds, "{nodes:?} {system:?} {part:?}");
        }
        shown += usize::from(part != system);
        let lts_step = |edge: usize| system.transitions[arena.transition(edge) as usize];
        for play in [own_play(&arena, &solution), play(&arena, &solution, false, 1_000)] {
            let Some(play) = play else { continue };
            let taken: Vec<_> = play.edges.iter().map(|&edge| lts_step(edge)).collect();
            let is_path = taken.windows(2).all(|steps| steps[0].2 == steps[1].0);
            let returns = play
                .again
                .is_none_or(|again| taken[again].0 == taken.last().expect("it has a step").2);
            assert!(is_path && returns && taken.first().is_none_or(|step| step.0 == 0));
        }
    }
    assert!(held.min(failed) > 500 && shown > 200, "{held} {failed} {shown}");
}

/// A process with the steps of a system: a network of one component.
fn process(system: &System) -> Process {
    let symbols = vec![
        Symbol::new("T", &[], 0, Kind::Constructor),
        Symbol::new("F", &[], 0, Kind::Constructor),
    ];
    let data = Data::new(vec![b"Bool".to_vec()], symbols, &[], 0, 1).expect("well formed");
    let vectors: Vec<u32> = (0..LABELS.len() as u32).flat_map(|label| [label, label]).collect();
    let steps = Arc::new(moves(&system.lts()));
    let together = Synchronisation::new(vec![0], vec![steps], &vectors, None);
    let labels = LABELS.map(|name| name.as_bytes().to_vec()).to_vec();
    Process::network(data, vec![0], labels, vec![together])
}

struct Silent;

impl Callbacks for Silent {
    fn progress(&mut self, _: usize, _: usize) {}

    fn is_goal(&mut self, _: &[u8]) -> bool {
        false
    }
}

fn options(states: Option<usize>) -> OrbitOptions {
    OrbitOptions {
        limits: Limits { states, values: 1_000, memory: None, time: None },
        strategy: None,
        choices: u64::MAX,
        threads: 1,
        with_quotient: false,
        certify: true,
        proven: Vec::new(),
        sample: 0,
        query: Query::default(),
        begun: Instant::now(),
    }
}

fn no_symmetry() -> Symmetry {
    Symmetry::new(Vec::new(), Vec::new(), Arc::new([]), Vec::new()).expect("it is empty")
}

/// The evidence as a system.
fn shown(evidence: &Evidence, process: &Process) -> System {
    let label = |text: u32| label_of(process.labels.labels.get(Label(text)));
    let transitions = evidence.transitions.iter();
    let transitions = transitions.map(|&(s, text, t)| (s as usize, label(text), t as usize));
    System { states: evidence.states, transitions: transitions.collect() }
}

#[test]
fn on_the_fly_decisions_have_valid_evidence() {
    let mut random = Random(0x0fed_cba9_8765_4321);
    let [mut held, mut failed, mut limited, mut partial, mut paths] = [0; 5];
    for _ in 0..1_200 {
        let system = System::random(&mut random, 0);
        let (nodes, root) = Nodes::random(&mut random);
        let holds = nodes.holds_in(root, &system, 0);
        let mut process = process(&system);
        let most = if random.once_in(3) { 1 + random.below(12) } else { usize::MAX };
        let states = random.once_in(3).then(|| random.below(4));
        let path = random.once_in(2).then(|| random.once_in(2));
        let question = Question { root: root as u32, shapes: 0, most, evidence: Some(1_000), path };
        let (mut formula, options) = (Coded::new(nodes.clone(), None), options(states));
        let (symmetry, process) = (no_symmetry(), &mut process);
        let checked = check(process, symmetry, &mut formula, &question, &options, &mut Silent);
        let Ok(Checked { holds: answer, evidence, statistics, .. }) = checked else {
            panic!("nothing stops it")
        };
        let Some(answer) = answer else {
            let reasons = [Incomplete::Enough, Incomplete::States];
            assert!(statistics.incomplete.is_some_and(|reason| reasons.contains(&reason)));
            assert!(most < usize::MAX || states.is_some(), "{nodes:?} {system:?}");
            limited += 1;
            continue;
        };
        assert_eq!(answer, holds, "{nodes:?} {system:?}");
        *if holds { &mut held } else { &mut failed } += 1;
        let evidence = evidence.expect("it is small");
        let part = shown(&evidence, process);
        assert!(part.is_simulated_by(&system), "{part:?} {system:?}");
        if nodes.is_about_steps() {
            assert_eq!(nodes.holds_in(root, &part, 0), holds, "{nodes:?} {system:?} {part:?}");
        }
        partial += usize::from(part.transitions.len() < system.transitions.len());
        if let Some((steps, again)) = evidence.path {
            let steps: Vec<_> = steps.iter().map(|&at| part.transitions[at as usize]).collect();
            assert!(steps.first().is_none_or(|step| step.0 == 0));
            assert!(steps.windows(2).all(|pair| pair[0].2 == pair[1].0));
            let end = steps.last().map(|step| step.2);
            assert!(again.is_none_or(|again| end == Some(steps[again].0)));
            paths += usize::from(!steps.is_empty());
        }
    }
    let counts = [held, failed, limited, partial, paths];
    assert!(counts.iter().all(|&count| count > 30), "{counts:?}");
}

#[test]
fn random_formulas_have_each_kind_of_part() {
    let mut random = Random(0x5555_aaaa_3333_cccc);
    let mut counts = [0; 9];
    for _ in 0..1_000 {
        for node in Nodes::random(&mut random).0.nodes {
            counts[match node {
                Node::And(_) => 0,
                Node::Or(_) => 1,
                Node::Can(..) => 2,
                Node::Must(..) => 3,
                Node::CanByLabel(..) => 4,
                Node::MustByLabel(..) => 5,
                Node::OneOf(_) => 6,
                Node::EachOf(_) => 7,
                Node::Fixed(..) => 8,
            }] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 300), "{counts:?}");
}
