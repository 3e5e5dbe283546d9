//! The formula that wins a game.

use crate::base::ids::Id as _;
use crate::base::ids::NONE;
use crate::compare::bisimulation_game::{Game, Modality};
use crate::formula::{Formulas, Id};

impl Game<'_> {
    /// The formula of a position that is won.
    pub(crate) fn formula(&self, root: u32, formulas: &mut Formulas) -> Id {
        let (order, by) = self.shortest();
        let mut needed = vec![false; self.positions.len()];
        needed[root as usize] = true;
        for &number in order.iter().rev() {
            if needed[number as usize] {
                for &answer in self.answers_of(by[number as usize]) {
                    needed[answer as usize] = true;
                }
            }
        }
        let truth = formulas.truth();
        let mut formula_of = vec![truth; self.positions.len()];
        for &number in order.iter().filter(|&&number| needed[number as usize]) {
            let choice = by[number as usize];
            let chosen = &self.moves[choice as usize];
            let answers = self.answers_of(choice);
            if matches!(chosen.modality, Modality::Choose { .. }) {
                formula_of[number as usize] = formula_of[answers[0] as usize];
                continue;
            }
            // For an until: the conjuncts before the step and those after it.
            let (mut before, mut after) = (Vec::new(), Vec::new());
            for &answer in answers {
                let part = formula_of[answer as usize];
                let part = if chosen.flipped { formulas.not(part) } else { part };
                let by = self.moves[by[answer as usize] as usize].modality;
                let parts = if by == (Modality::Choose { before: true }) {
                    &mut before
                } else {
                    &mut after
                };
                parts.push(part);
            }
            let before = formulas.and(before);
            let inner = formulas.and(after);
            let formula = self.modal(chosen.modality, before, inner, formulas);
            formula_of[number as usize] =
                if chosen.mirrored { formulas.not(formula) } else { formula };
        }
        formula_of[root as usize]
    }

    /// The formula of a modality; `before` holds before the step of an until.
    pub(crate) fn modal(
        &self,
        modality: Modality,
        before: Id,
        inner: Id,
        formulas: &mut Formulas,
    ) -> Id {
        let truth = formulas.truth();
        match modality {
            Modality::Step(label) => formulas.step(label, inner),
            Modality::Delay(label) => formulas.until(truth, Some(label), inner),
            Modality::Silent => formulas.until(truth, None, inner),
            Modality::Weak(label) => {
                let later = formulas.until(truth, None, inner);
                if Some(label) == self.rules.divergence {
                    formulas.forever(later)
                } else {
                    formulas.until(truth, Some(label), later)
                }
            }
            Modality::Until(Some(label)) if Some(label) == self.rules.divergence => {
                let inner = formulas.forever(inner);
                formulas.until(truth, None, inner)
            }
            Modality::Until(label) => formulas.until(before, label, inner),
            Modality::Choose { .. } => inner,
        }
    }

    fn answers_of(&self, choice: u32) -> &[u32] {
        let chosen = &self.moves[choice as usize];
        &self.answers[chosen.first as usize..chosen.past as usize]
    }

    /// The positions that are won, ordered by the number of steps, and the move that wins each.
    /// Among moves with equally few steps, the one with the smallest formula; a negation should be
    /// outermost rather than inside.
    fn shortest(&self) -> (Vec<u32>, Vec<u32>) {
        let mut open: Vec<u32> = self.moves.iter().map(|m| m.past - m.first).collect();
        let mut by = vec![NONE; self.positions.len()];
        let mut size = vec![0u64; self.positions.len()];
        let mut order = Vec::new();
        let mut level: Vec<(u64, bool, u32)> = (0..u32::at(self.moves.len()))
            .filter(|&choice| open[choice as usize] == 0)
            .map(|choice| self.weight(choice, &size))
            .collect();
        while !level.is_empty() {
            level.sort_unstable_by(|a, b| b.cmp(a));
            let mut next = Vec::new();
            while let Some((weight, _, choice)) = level.pop() {
                let owner = self.moves[choice as usize].owner;
                if by[owner as usize] != NONE {
                    continue;
                }
                by[owner as usize] = choice;
                size[owner as usize] = weight;
                order.push(owner);
                let mut link = self.positions[owner as usize].dependents;
                while link != NONE {
                    let (asking, following) = self.links[link as usize];
                    open[asking as usize] -= 1;
                    if open[asking as usize] == 0 {
                        // A choice is not a step.
                        let modality = self.moves[asking as usize].modality;
                        let choice = matches!(modality, Modality::Choose { .. });
                        let entry = self.weight(asking, &size);
                        if choice { level.push(entry) } else { next.push(entry) }
                    }
                    link = following;
                }
            }
            level = next;
        }
        (order, by)
    }

    /// The key by which moves are chosen: the approximate text size of the formula; whether it has
    /// no negation around it; the number of the move.
    fn weight(&self, choice: u32, size: &[u64]) -> (u64, bool, u32) {
        let chosen = &self.moves[choice as usize];
        let answers = self.answers_of(choice).iter();
        let inner = answers.fold(0u64, |sum, &answer| sum.saturating_add(size[answer as usize]));
        let own = match chosen.modality {
            Modality::Choose { .. } => 0,
            _ => 1 + u64::from(chosen.mirrored),
        };
        (inner.saturating_add(own), !chosen.mirrored, choice)
    }
}
