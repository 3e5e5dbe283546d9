//! The steps of a piece of the frontier. Only shared tables are read, so that several threads can
//! each do a piece; what is new is left to be numbered in order.

use super::candidates::Candidate;
use super::linear::Stop;
use super::plan::Input;
use super::store::{NONE, Store};
use super::tables::{DOUBT, Evaluator, Lookups, Tables};
use std::ops::Range;
use std::sync::Mutex;

/// The steps of some states in a row.
///
/// Invariant: `labels`, `targets` and `roots` have an entry a step, in the order of the states
/// and, within one, of the summands; `degrees` says how many each state has.
#[derive(Default)]
pub struct Piece {
    /// The states looked at; fewer than asked for if there was trouble with the last.
    pub states: Range<u32>,
    pub degrees: Vec<u32>,
    pub labels: Vec<u32>,
    /// Where each step leads to, `NONE` if that state has no number yet.
    pub targets: Vec<u32>,
    /// The pair at the root of each target; `[NONE, n]` if it has a node that is new, then number
    /// `n` of `views` is a view of the target.
    pub roots: Vec<[u32; 2]>,
    pub views: Vec<u32>,
    /// The summands that those views come from.
    pub summands: Vec<u32>,
    /// What went wrong with the last state; its steps are those found before.
    pub trouble: Option<Trouble>,
}

/// Why not all steps of a state were found.
pub enum Trouble {
    /// A sum of this summand has more values than were to be tried.
    Values(usize),
    Failed(Stop),
}

impl Piece {
    /// Forgets everything but the memory.
    fn begin(&mut self, first: u32) {
        self.states = first..first;
        self.degrees.clear();
        self.labels.clear();
        self.targets.clear();
        self.roots.clear();
        self.views.clear();
        self.summands.clear();
        self.trouble = None;
    }

    /// Leaves out all but the first `states` states and the first `steps` steps.
    pub fn truncate(&mut self, states: usize, steps: usize) {
        self.states.end = self.states.start + states as u32;
        self.degrees.truncate(states);
        let before: usize = self.degrees.iter().map(|&degree| degree as usize).sum();
        if let Some(last) = self.degrees.last_mut() {
            *last -= (before - steps) as u32;
        }
        self.labels.truncate(steps);
        self.targets.truncate(steps);
        self.roots.truncate(steps);
        self.trouble = None;
    }
}

/// States that are read at a time.
const TOGETHER: usize = 64;
/// Steps that are looked up at a time, about.
const STEPS: usize = 1024;

/// One thread's view of what is shared, and its scratch space.
pub struct Expander<'a, 'p> {
    tables: &'a Tables,
    store: &'a Store,
    evaluator: &'a Mutex<Evaluator<'p>>,
    paths: &'a [Vec<u32>],
    /// Views of the states at hand, and of the state looked at.
    views: Vec<u32>,
    view: Vec<u32>,
    /// Steps whose targets are not looked up yet: the state's place in `views`, the summand; and views
    /// of their targets, where only the places are up to date.
    steps: Vec<(u32, u32)>,
    targets: Vec<u32>,
    candidates: Vec<Candidate>,
    key: Vec<u32>,
    found: Vec<u32>,
    pub lookups: Lookups,
}

impl<'a, 'p> Expander<'a, 'p> {
    /// A new one; `paths` are those of what each summand writes, `lookups` are counted on.
    pub fn new(
        tables: &'a Tables,
        store: &'a Store,
        evaluator: &'a Mutex<Evaluator<'p>>,
        paths: &'a [Vec<u32>],
        lookups: Lookups,
    ) -> Self {
        Self {
            tables,
            store,
            evaluator,
            paths,
            views: vec![0; TOGETHER * store.nodes()],
            view: vec![0; store.nodes()],
            steps: Vec::new(),
            targets: Vec::new(),
            candidates: Vec::new(),
            key: Vec::new(),
            found: Vec::new(),
            lookups,
        }
    }

    /// Finds the steps of `states`, up to the first with which there is trouble. No more than `cap`
    /// values of a sum are tried.
    pub fn expand(&mut self, states: Range<u32>, cap: usize, piece: &mut Piece) {
        piece.begin(states.start);
        let nodes = self.store.nodes();
        for start in states.clone().step_by(TOGETHER) {
            let end = states.end.min(start.saturating_add(TOGETHER as u32));
            self.store.read(start..end, &mut self.views[..(end - start) as usize * nodes]);
            for state in start..end {
                let before = piece.labels.len();
                let at = (state - start) as usize;
                self.view.copy_from_slice(&self.views[at * nodes..(at + 1) * nodes]);
                let done = self.state(at as u32, cap, piece);
                piece.degrees.push((piece.labels.len() - before) as u32);
                piece.states.end = state + 1;
                if let Err(trouble) = done {
                    piece.trouble = Some(trouble);
                    self.look_up(piece);
                    return;
                }
            }
            self.look_up(piece);
        }
    }

    /// Looks up where the steps at hand lead to: node by node of the tree for all of them, so that the
    /// processor fetches what several of them need at the same time.
    fn look_up(&mut self, piece: &mut Piece) {
        let nodes = self.store.nodes();
        let longest = self.steps.iter().map(|&(_, i)| self.paths[i as usize].len()).max();
        for depth in 0..longest.unwrap_or(0) {
            for (&(from, i), view) in self.steps.iter().zip(self.targets.chunks_exact_mut(nodes)) {
                if let Some(&inner) = self.paths[i as usize].get(depth) {
                    let from = from as usize * nodes;
                    self.store.update(inner, view, &self.views[from..from + nodes]);
                }
            }
        }
        for (&(_, i), view) in self.steps.iter().zip(self.targets.chunks_exact(nodes)) {
            let root = self.store.root_pair(view);
            piece.targets.push(root.map_or(NONE, |root| self.store.find(root)));
            piece.roots.push(root.unwrap_or_else(|| {
                piece.views.extend_from_slice(view);
                piece.summands.push(i);
                [NONE, piece.summands.len() as u32 - 1]
            }));
        }
        self.steps.clear();
        self.targets.clear();
    }

    fn state(&mut self, at: u32, cap: usize, piece: &mut Piece) -> Result<(), Trouble> {
        let mut candidates = std::mem::take(&mut self.candidates);
        self.tables.candidates.of(&self.view, &mut candidates);
        for candidate in &candidates {
            self.summand(at, candidate.summand(), candidate.doubt(), cap, piece)?;
            if self.steps.len() >= STEPS {
                self.look_up(piece);
            }
        }
        self.candidates = candidates;
        Ok(())
    }

    fn summand(
        &mut self,
        at: u32,
        i: usize,
        doubt: bool,
        cap: usize,
        piece: &mut Piece,
    ) -> Result<(), Trouble> {
        let tables = self.tables;
        let plan = &tables.plan.steps[i];
        self.key.clear();
        let mut doubt = doubt;
        for &guard in &plan.guards {
            match self.derived(guard) {
                0 => return Ok(()),
                DOUBT => doubt = true,
                _ => {}
            }
        }
        doubt |= !self.gather(&plan.inputs);
        self.lookups.steps[i] += 1;
        let known = if doubt { Err(false) } else { tables.steps(i, &self.key) };
        let keep = match known {
            Ok(rows) => return self.follow(at, i, rows, cap, piece),
            Err(keep) => keep,
        };
        let mut found = std::mem::take(&mut self.found);
        let complete = {
            let mut evaluator = self.evaluator.lock().expect("no panic while locked");
            let key = keep.then_some(&self.key[..]);
            evaluator.steps(&tables.plan, i, key, &self.view, cap, &mut found)
        };
        let followed = match complete {
            Err(stop) => Err(Trouble::Failed(stop)),
            Ok(complete) => {
                let followed = self.follow(at, i, &found, cap, piece);
                followed.and(if complete { Ok(()) } else { Err(Trouble::Values(i)) })
            }
        };
        self.found = found;
        followed
    }

    /// The value of a derived value in the state looked at.
    fn derived(&mut self, number: u32) -> u32 {
        let tables = self.tables;
        let from = self.key.len();
        let value = if self.gather(&tables.plan.derived[number as usize].inputs) {
            self.lookups.derived[number as usize] += 1;
            let key = &self.key[from..];
            tables.derived(number, key).unwrap_or_else(|keep| {
                let mut evaluator = self.evaluator.lock().expect("no panic while locked");
                evaluator.derived(&tables.plan, number, key, &self.view, keep)
            })
        } else {
            DOUBT
        };
        self.key.truncate(from);
        value
    }

    /// Appends the values of `inputs` to the key; false if one is in doubt.
    fn gather(&mut self, inputs: &[Input]) -> bool {
        for &input in inputs {
            let value = match input {
                Input::Place(place) => self.view[place as usize],
                Input::Derived(number) => match self.derived(number) {
                    DOUBT => return false,
                    value => value,
                },
            };
            self.key.push(value);
        }
        true
    }

    /// Notes the steps of summand `i` that `rows` say.
    fn follow(
        &mut self,
        at: u32,
        i: usize,
        rows: &[u32],
        cap: usize,
        piece: &mut Piece,
    ) -> Result<(), Trouble> {
        if rows.is_empty() {
            return Ok(());
        }
        let tables = self.tables;
        let plan = &tables.plan.steps[i];
        // New values that are derived are the same for all rows.
        self.key.clear();
        for &(_, number) in &plan.derived {
            let value = self.derived(number);
            if value == DOUBT {
                return self.no_value(i, cap);
            }
            self.key.push(value);
        }
        for row in rows.chunks_exact(1 + plan.writes.len()) {
            let from = self.targets.len();
            self.targets.extend_from_slice(&self.view);
            let target = &mut self.targets[from..];
            for (&(place, _), &value) in plan.writes.iter().zip(&row[1..]) {
                target[place as usize] = value;
            }
            for (&(place, _), &value) in plan.derived.iter().zip(&self.key) {
                target[place as usize] = value;
            }
            self.steps.push((at, i as u32));
            piece.labels.push(row[0]);
        }
        Ok(())
    }

    /// The new value that summand `i` gives some place has no normal form that is a value: why.
    #[cold]
    fn no_value(&mut self, i: usize, cap: usize) -> Result<(), Trouble> {
        let mut evaluator = self.evaluator.lock().expect("no panic while locked");
        let mut found = Vec::new();
        let plan = &self.tables.plan;
        evaluator.steps(plan, i, None, &self.view, cap, &mut found).map_err(Trouble::Failed)?;
        // It ends the second time, because of what the first has left.
        let message = "rewriting does not end: it was given up once".into();
        Err(Trouble::Failed(Stop::Evaluation(message, Some(i))))
    }
}
