//! A game on pairs of a state and a part of the formula, by their numbers: where no group acts.

use crate::base::bitset::Bits;
use crate::base::ids::NONE;
use crate::data_formula::{Choices, Coded, DataFormula};
use crate::lpe::chunk::{Chunk, Trouble};
use crate::lpe::explore::Incomplete;
use crate::lpe::explore::statistics::Cap;
use crate::lpe::process::Process;
use crate::lpe::process::stop::Stop;
use crate::lpe::states::States;
use crate::lpe::store::pair_table::Pairs;
use crate::model_checking::game::{Board, Edge, Moves, Pair};
use crate::orbit_exploration::batch::{BATCH, STEPS};
use crate::orbit_exploration::statistics::{Callbacks, Options};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// States that are numbered where they are part of a position; pairs of a state and a part are positions.
pub(crate) struct StateBoard<'a> {
    states: States<'a>,
    options: &'a Options,
    positions: Pairs,
    /// The states whose steps were asked for, and how many they are.
    asked: Bits,
    pub asked_count: usize,
    cap: Cap,
    incomplete: Option<Incomplete>,
    /// Memory for steps.
    spare: Vec<Chunk>,
}

/// Where an edge leads: the pair at the root of a state, or `NONE` and the number of the state; and the
/// part.
type Target = ([u32; 2], u32);

/// The steps of some states, in pieces.
#[derive(Default)]
struct Steps {
    chunks: Vec<Chunk>,
    /// For each state where it is: a piece, and the first of its steps there.
    places: FxHashMap<u32, (u32, u32)>,
}

impl<'a> StateBoard<'a> {
    pub fn new(process: &'a mut Process, options: &'a Options) -> Self {
        let (mut states, initial) = States::new(process);
        states.store.intern_row(&initial);
        Self {
            states,
            options,
            positions: Pairs::default(),
            asked: Bits::default(),
            asked_count: 0,
            cap: options.limits.cap(),
            incomplete: None,
            spare: Vec::new(),
        }
    }

    /// Notes that the steps of a state are asked for; false if that are too many states.
    fn notes(&mut self, state: u32) -> bool {
        if self.asked.has(state) {
            return true;
        }
        if self.asked_count >= self.options.limits.states.unwrap_or(usize::MAX) {
            self.incomplete = Some(Incomplete::States);
            return false;
        }
        self.asked.add(state);
        self.asked_count += 1;
        true
    }

    /// Finds the steps of states, which may come several times; of how many of these there are all: up
    /// to one with trouble, or until there are as many as are looked at together. With trouble at that
    /// place it is said.
    fn steps(&mut self, states: &[u32]) -> Result<(Steps, usize, Option<usize>), Stop> {
        let mut found = Steps::default();
        let (mut total, mut at) = (0, 0);
        while at < states.len() && total < STEPS {
            if let Some(&(chunk, _)) = found.places.get(&states[at]) {
                total += found.degree(states[at], chunk);
                at += 1;
                continue;
            }
            // States that follow each other are looked at together.
            let is_next = |&(k, &state): &(usize, &u32)| state == states[at] + k as u32;
            let run = states[at..].iter().enumerate().take_while(is_next).count() as u32;
            let mut chunk = self.spare.pop().unwrap_or_default();
            self.states.expand(states[at]..states[at] + run, self.cap.now, &mut chunk);
            let trouble = chunk.trouble.take();
            if self.states.process().data.is_stopped() {
                return Err(Stop::Interrupted);
            }
            let whole = chunk.degrees.len() - usize::from(trouble.is_some());
            let (number, mut first) = (found.chunks.len() as u32, 0);
            for (state, &degree) in chunk.states.clone().zip(&chunk.degrees[..whole]) {
                found.places.insert(state, (number, first));
                first += degree;
            }
            found.chunks.push(chunk);
            let end = at + whole;
            while at < end && total < STEPS {
                let (chunk, _) = found.places[&states[at]];
                total += found.degree(states[at], chunk);
                at += 1;
            }
            if total < STEPS {
                match trouble {
                    None => {}
                    Some(Trouble::Values(summand)) => return Ok((found, at, Some(summand))),
                    Some(Trouble::Failed(stop)) => return Err(stop),
                }
            }
        }
        Ok((found, at, None))
    }

    /// The number of the state at the end of an edge.
    fn state(&mut self, root: [u32; 2]) -> u32 {
        if root[0] == NONE { root[1] } else { self.states.store.intern(root).0 }
    }

    /// Where the edges of a pair lead; steps of `found` are looked up there.
    fn targets<F: DataFormula>(
        &mut self,
        formula: &mut Coded<F>,
        (state, choice): (u32, &Choices),
        found: &Steps,
        mut lead: impl FnMut(Option<u32>, Target),
    ) -> Result<(), Stop> {
        for &inner in &choice.stays {
            lead(None, ([NONE, state], inner));
        }
        if choice.steps.is_empty() {
            return Ok(());
        }
        let (chunk, first) = found.places[&state];
        let degree = found.degree(state, chunk);
        let chunk = &found.chunks[chunk as usize];
        let mut after = Vec::new();
        for step in first as usize..first as usize + degree {
            let text = chunk.labels[step];
            formula.after(choice, self.states.process(), text, &mut after)?;
            for &inner in &after {
                lead(Some(text), (chunk.roots[step], inner));
            }
        }
        Ok(())
    }
}

impl Steps {
    /// How many steps a state has.
    fn degree(&self, state: u32, chunk: u32) -> usize {
        let chunk = &self.chunks[chunk as usize];
        chunk.degrees[(state - chunk.states.start) as usize] as usize
    }
}

impl<F: DataFormula> Board<F> for StateBoard<'_> {
    type Targets = Vec<Target>;

    fn start(&mut self, _: &mut Coded<F>, root: u32) -> Result<Pair, Stop> {
        Ok(vec![0, root])
    }

    fn width(&self) -> usize {
        1
    }

    fn place(&mut self, pair: &[u32]) -> Result<u32, Stop> {
        Ok(self.positions.intern([pair[0], pair[1]]).0)
    }

    fn position(&mut self, pair: &[u32]) -> Result<Option<u32>, Stop> {
        Ok(Some(self.positions.find([pair[0], pair[1]])).filter(|&known| known != NONE))
    }

    fn edges(
        &mut self,
        formula: &mut Coded<F>,
        pair: &[u32],
    ) -> Result<(Arc<Choices>, Vec<Edge>), Stop> {
        let choices = formula.choices(pair[1])?;
        let states = if choices.steps.is_empty() { &[][..] } else { &pair[..1] };
        let (found, whole, _) = self.steps(states)?;
        debug_assert_eq!(whole, states.len());
        let mut targets = Vec::new();
        self.targets(formula, (pair[0], &choices), &found, |label, target| {
            targets.push((label, target));
        })?;
        let edge = |(label, (root, part))| (label, vec![self.state(root), part]);
        Ok((choices, targets.into_iter().map(edge).collect()))
    }

    fn count(&self) -> usize {
        self.positions.len()
    }

    fn moves(
        &mut self,
        formula: &mut Coded<F>,
        first: usize,
    ) -> Result<Moves<Self::Targets>, Stop> {
        let last = self.positions.len().min(first + BATCH);
        let (mut pairs, mut states) = (Vec::new(), Vec::new());
        for position in first..last {
            let [state, part] = self.positions.pairs()[position];
            let choice = formula.choices(part)?;
            if !choice.steps.is_empty() {
                if !self.notes(state) {
                    // The limit: positions before this one are done.
                    break;
                }
                states.push(state);
            }
            pairs.push((state, choice));
        }
        let (found, whole, short) = self.steps(&states)?;
        let (mut moves, mut at) = (Moves::default(), 0);
        let targets: &mut Vec<Target> = &mut moves.targets;
        for (state, choice) in pairs {
            let before = targets.len();
            if !choice.steps.is_empty() {
                if at == whole {
                    // Its steps are found with the next positions.
                    moves.short = short;
                    break;
                }
                at += 1;
            }
            self.targets(formula, (state, &choice), &found, |_, target| targets.push(target))?;
            moves.degrees.push(targets.len() - before);
            moves.choices.push(choice);
        }
        self.spare.extend(found.chunks);
        if let (Some(_), true) = (moves.short, self.cap.may_grow()) {
            self.cap.grow();
            moves.short = None;
        }
        Ok(moves)
    }

    fn number(
        &mut self,
        targets: Vec<Target>,
        degrees: &[usize],
        made: &mut dyn FnMut(&mut Self, usize, &[u32]) -> bool,
    ) -> Result<(), Stop> {
        let (mut targets, mut numbers) = (&targets[..], Vec::new());
        for (place, &degree) in degrees.iter().enumerate() {
            let own = targets.split_off(..degree).expect("as many as there are");
            numbers.clear();
            for &(root, part) in own {
                let state = self.state(root);
                numbers.push(self.positions.intern([state, part]).0);
            }
            if !made(self, place, &numbers) {
                return Ok(());
            }
        }
        // No root of before is looked at any more.
        self.states.reshape();
        Ok(())
    }

    fn is_full(&self) -> bool {
        false
    }

    fn incomplete(&mut self) -> &mut Option<Incomplete> {
        &mut self.incomplete
    }

    fn goes_on(&mut self, host: &mut dyn Callbacks, made: usize, bytes: usize) -> Result<(), Stop> {
        if !host.poll(self.positions.len(), made) {
            return Err(Stop::Interrupted);
        }
        let limits = &self.options.limits;
        self.incomplete = self.incomplete.or(limits.passed(self.options.begun, || bytes));
        Ok(())
    }

    fn bytes(&self) -> usize {
        let (states, tables) = self.states.bytes();
        states + tables + self.positions.bytes()
    }

    fn is_stopped(&mut self) -> bool {
        self.states.process().data.is_stopped()
    }
}
