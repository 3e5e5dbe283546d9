//! The automaton of a path formula, built on demand: its moves by labels, and the action of a
//! group.

use crate::base::ids::Id;
use crate::base::ids::{Label, NONE};
use crate::base::label_table::Labels;
use crate::check::data_formula::Coded;
use crate::check::fair_paths::automaton_states::{
    AutomatonFormula, AutomatonState, Kind, Requirement,
};
use crate::check::fair_paths::conditions::{Conditions, Now};
use crate::check::fair_paths::graph::Graph;
use crate::check::fair_paths::no_path::{NoPath, Result};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The largest number of automaton states: a node stores one bit for each.
pub const MOST_STATES: usize = 1 << 12;

/// A move with a given label: its position in the automaton state's list, the next automaton state,
/// and the eventualities it leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made {
    position: u32,
    pub to: u32,
    pub open: u64,
}

struct KnownState {
    part: u32,
    control: Arc<AutomatonState>,
    held: Vec<Option<Arc<Now>>>,
    /// For each label the position of its moves in `lists`, or `NONE`. Labels that are computed one
    /// after the other often have the same moves, if they differ only in their data.
    moves: Vec<u32>,
    lists: Vec<Vec<Made>>,
    /// The images under group elements, by number of the element.
    images: Vec<u32>,
}

struct KnownRequirement {
    part: u32,
    steps: Vec<(Option<Arc<Now>>, u32)>,
    instead: Option<Arc<Now>>,
    images: Vec<u32>,
}

/// An automaton whose automaton states and requirements are numbered in the order of discovery.
pub struct Automaton<'a, F: AutomatonFormula> {
    conditions: Conditions<'a, F>,
    controls: Vec<KnownState>,
    state_numbers: FxHashMap<u32, u32>,
    requirements: Vec<KnownRequirement>,
    requirement_numbers: FxHashMap<u32, u32>,
}

impl<'a, F: AutomatonFormula> Automaton<'a, F> {
    pub fn new(formula: &'a mut Coded<F>) -> Self {
        Self {
            conditions: Conditions::new(formula),
            controls: Vec::new(),
            state_numbers: FxHashMap::default(),
            requirements: Vec::new(),
            requirement_numbers: FxHashMap::default(),
        }
    }

    /// The formula that the automaton belongs to.
    pub fn formula(&mut self) -> &mut Coded<F> {
        self.conditions.formula
    }

    /// The number of automaton states found so far.
    pub fn controls(&self) -> usize {
        self.controls.len()
    }

    pub fn control(&self, control: u32) -> &AutomatonState {
        &self.controls[control as usize].control
    }

    /// Whether a run may stay in the component of this automaton state; false for automaton states
    /// not found yet.
    pub fn is_recurrent(&self, control: u32) -> bool {
        self.controls
            .get(control as usize)
            .is_some_and(|known| known.control.kind == Kind::Recurrent)
    }

    /// Whether there are requirements.
    pub fn has_requirements(&self) -> bool {
        !self.requirements.is_empty()
    }

    /// The number of the automaton state that this part of the formula represents.
    pub fn state_of(&mut self, part: u32) -> Result<u32> {
        if let Some(&known) = self.state_numbers.get(&part) {
            return Ok(known);
        }
        let number = u32::at(self.controls.len());
        if self.controls.len() == MOST_STATES {
            return Err(NoPath::States);
        }
        let mut control = self.conditions.formula.formula().control(part)?;
        let mut held = Vec::with_capacity(control.moves.len());
        for step in &control.moves {
            held.push(self.conditions.all_of(&step.held)?);
        }
        for requirement in &mut control.requirements {
            *requirement = self.requirement_of(*requirement)?;
        }
        self.controls.push(KnownState {
            part,
            control: control.into(),
            held,
            moves: Vec::new(),
            lists: Vec::new(),
            images: Vec::new(),
        });
        self.state_numbers.insert(part, number);
        Ok(number)
    }

    fn requirement_of(&mut self, part: u32) -> Result<u32> {
        if let Some(&known) = self.requirement_numbers.get(&part) {
            return Ok(known);
        }
        let Requirement { steps, instead } = self.conditions.formula.formula().requirement(part)?;
        let mut known = Vec::with_capacity(steps.len());
        for (held, set) in steps {
            known.push((self.conditions.all_of(&held)?, set));
        }
        let instead = instead.map(|part| self.conditions.now(part)).transpose()?;
        let number = u32::at(self.requirements.len());
        self.requirements.push(KnownRequirement {
            part,
            steps: known,
            instead,
            images: Vec::new(),
        });
        self.requirement_numbers.insert(part, number);
        Ok(number)
    }

    /// The labels of the steps of a state.
    pub fn labels_of<G: Graph>(&mut self, state: u32, graph: &G) -> Vec<u32> {
        self.conditions.labels_of(state, graph)
    }

    /// Whether a path with this automaton state may end in a deadlock state.
    pub fn may_end(&mut self, control: u32, labels: &Labels) -> Result<bool> {
        for end in self.control(control).at_deadlock.clone() {
            let now = self.conditions.now(end)?;
            if self.conditions.holds(&now, &[], labels)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether any continuation of a path from this state and automaton state is accepted.
    pub fn is_shown<G: Graph>(&mut self, control: u32, state: u32, graph: &G) -> Result<bool> {
        let known = self.control(control);
        if known.kind == Kind::Accepting || known.here.is_empty() {
            return Ok(known.kind == Kind::Accepting);
        }
        let own = self.conditions.labels_of(state, graph);
        let result = self.is_shown_with(control, &own, graph.labels());
        self.conditions.give_back(state, own);
        result
    }

    /// Like [`Automaton::is_shown`], for a state whose steps have the labels `own`.
    pub fn is_shown_with(&mut self, control: u32, own: &[u32], labels: &Labels) -> Result<bool> {
        for part in self.control(control).here.clone() {
            let now = self.conditions.now(part)?;
            if self.conditions.holds(&now, own, labels)? {
                return Ok(true);
            }
        }
        Ok(self.control(control).kind == Kind::Accepting)
    }

    // Moves.

    /// Computes the moves of an automaton state with this label, and returns their number.
    pub fn moves(&mut self, control: u32, label: u32, labels: &Labels) -> Result<usize> {
        let known = &self.controls[control as usize];
        match known.moves.get(label as usize) {
            Some(&list) if list != NONE => return Ok(known.lists[list as usize].len()),
            _ => {}
        }
        let mut result: Vec<Made> = Vec::new();
        let automaton_state = Arc::clone(&known.control);
        for (position, step) in automaton_state.moves.iter().enumerate() {
            for part in self.conditions.formula.lead(step.set, step.after, Label(label), labels)? {
                let to = self.state_of(part)?;
                let made = Made { position: u32::at(position), to, open: step.open };
                if !result.iter().any(|other| self.is_covered(control, made, *other)) {
                    result.retain(|&other| !self.is_covered(control, other, made));
                    result.push(made);
                }
            }
        }
        let (count, known) = (result.len(), &mut self.controls[control as usize]);
        if known.lists.last() != Some(&result) {
            known.lists.push(result);
        }
        note(&mut known.moves, label, u32::at(known.lists.len() - 1));
        Ok(count)
    }

    /// Whether move `left` is redundant beside `right`: same next automaton state, no condition on
    /// `right`, and `right` leaves no more eventualities open.
    fn is_covered(&self, control: u32, left: Made, right: Made) -> bool {
        let held = &self.controls[control as usize].held;
        let is_free = held[right.position as usize].is_none();
        is_free && left.to == right.to && left.open & right.open == right.open
    }

    /// The move at `position` of those computed by [`Automaton::moves`].
    pub fn made(&self, control: u32, label: u32, position: usize) -> Made {
        let known = &self.controls[control as usize];
        known.lists[known.moves[label as usize] as usize][position]
    }

    /// Whether the condition of a move holds in a state.
    pub fn is_held<G: Graph>(
        &mut self,
        control: u32,
        made: Made,
        state: u32,
        graph: &G,
    ) -> Result<bool> {
        match self.controls[control as usize].held[made.position as usize].clone() {
            None => Ok(true),
            Some(now) => {
                let own = self.conditions.labels_of(state, graph);
                let result = self.conditions.holds(&now, &own, graph.labels());
                self.conditions.give_back(state, own);
                Ok(result?)
            }
        }
    }

    /// The eventualities left open by every move from `control` to `to` with this label that is
    /// enabled in a state whose steps have the labels `own`; `None` if there is no such move.
    pub fn left_open<G: Graph>(
        &mut self,
        control: u32,
        label: u32,
        to: u32,
        own: &[u32],
        graph: &G,
    ) -> Result<Option<u64>> {
        let mut open = None;
        for position in 0..self.moves(control, label, graph.labels())? {
            let made = self.made(control, label, position);
            let held = self.controls[control as usize].held[made.position as usize].clone();
            if made.to == to
                && held.map_or(Ok(true), |now| self.conditions.holds(&now, own, graph.labels()))?
            {
                open = Some(open.unwrap_or(u64::MAX) & made.open);
            }
        }
        Ok(open)
    }

    /// The eventualities that some move of an automaton state leaves open.
    pub fn eventualities(&self, control: u32) -> u64 {
        self.control(control).moves.iter().fold(0, |all, step| all | step.open)
    }

    // Tasks.

    /// Whether a step with this label from a state meets a requirement.
    pub fn does<G: Graph>(
        &mut self,
        requirement: u32,
        label: u32,
        state: u32,
        graph: &G,
    ) -> Result<bool> {
        let own = self.conditions.labels_of(state, graph);
        let result = self.does_with(requirement, label, &own, graph.labels());
        self.conditions.give_back(state, own);
        result
    }

    /// Like [`Automaton::does`], for a state whose steps have the labels `own`.
    pub fn does_with(
        &mut self,
        requirement: u32,
        label: u32,
        own: &[u32],
        labels: &Labels,
    ) -> Result<bool> {
        for position in 0..self.requirements[requirement as usize].steps.len() {
            let set = self.requirements[requirement as usize].steps[position].1;
            if !self.conditions.formula.has(set, Label(label), labels)? {
                continue;
            }
            let held = self.requirements[requirement as usize].steps[position].0.clone();
            if held.map_or(Ok(true), |now| self.conditions.holds(&now, own, labels))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a requirement has an alternative (see [`Requirement::instead`]).
    pub fn has_instead(&self, requirement: u32) -> bool {
        self.requirements[requirement as usize].instead.is_some()
    }

    /// Whether the alternative of a requirement holds in a state.
    pub fn instead<G: Graph>(&mut self, requirement: u32, state: u32, graph: &G) -> Result<bool> {
        let own = self.conditions.labels_of(state, graph);
        let result = self.instead_with(requirement, &own, graph.labels());
        self.conditions.give_back(state, own);
        result
    }

    /// Like [`Automaton::instead`], for a state whose steps have the labels `own`.
    pub fn instead_with(&mut self, requirement: u32, own: &[u32], labels: &Labels) -> Result<bool> {
        let now = self.requirements[requirement as usize].instead.clone();
        Ok(now.map_or(Ok(false), |now| self.conditions.holds(&now, own, labels))?)
    }

    // Images.

    /// The image of an automaton state under a group element of the graph.
    pub fn moved_state<G: Graph>(
        &mut self,
        control: u32,
        element: u32,
        graph: &mut G,
    ) -> Result<u32> {
        if element == 0 {
            return Ok(control);
        }
        let known = &self.controls[control as usize];
        match known.images.get(element as usize) {
            Some(&image) if image != NONE => return Ok(image),
            _ => {}
        }
        let part = graph.moved(self.conditions.formula, known.part, element)?;
        let image = self.state_of(part)?;
        note(&mut self.controls[control as usize].images, element, image);
        Ok(image)
    }

    /// The image of a requirement under a group element of the graph.
    pub fn moved_requirement<G: Graph>(
        &mut self,
        requirement: u32,
        element: u32,
        graph: &mut G,
    ) -> Result<u32> {
        if element == 0 {
            return Ok(requirement);
        }
        let known = &self.requirements[requirement as usize];
        match known.images.get(element as usize) {
            Some(&image) if image != NONE => return Ok(image),
            _ => {}
        }
        let part = graph.moved(self.conditions.formula, known.part, element)?;
        let image = self.requirement_of(part)?;
        note(&mut self.requirements[requirement as usize].images, element, image);
        Ok(image)
    }
}

/// Stores a value at a position of a list, which is extended by `NONE` if need be.
fn note(list: &mut Vec<u32>, at: u32, value: u32) {
    if list.len() <= at as usize {
        list.resize(at as usize + 1, NONE);
    }
    list[at as usize] = value;
}
