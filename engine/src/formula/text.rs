//! Formulas as text. In a large formula, parts that occur several times become definitions, as in
//! `let F1 = <a>true in <b>F1 && <c>F1`.

use crate::base::ids;
use crate::formula::{Formulas, Id, Names, Node};

/// The largest formula written without definitions, as the size of its syntax tree.
const FEW: u64 = 500;

/// The deepest nesting of brackets before a definition is introduced.
const DEEP: u32 = 50;

/// An item of text still to be written.
enum Item {
    Text(&'static str),
    Label(ids::Label),
    Formula(Id),
}
use Item::{Formula, Label, Text};

impl Formulas {
    /// The text of a formula.
    pub fn show(&self, formula: Id, names: &dyn Names) -> Vec<u8> {
        let needed = self.needed(formula);
        let mut out = Vec::new();
        // The number of each formula's definition, from 1; 0 if it has none.
        let mut defined = vec![0u32; self.nodes.len()];
        for (number, id) in (1..).zip(self.definitions(formula, &needed)) {
            out.extend_from_slice(format!("let F{number} = ").as_bytes());
            self.write(id, &defined, names, &mut out);
            out.extend_from_slice(b" in\n");
            defined[id as usize] = number;
        }
        self.write(formula, &defined, names, &mut out);
        out
    }

    /// The parts of a formula that get a definition, each after those it uses.
    fn definitions(&self, formula: Id, needed: &[Id]) -> Vec<Id> {
        let mut size = vec![0u64; self.nodes.len()];
        let mut uses = vec![0u32; self.nodes.len()];
        for &id in needed {
            let mut sum = 1u64;
            self.each_part(id, |part| {
                sum = sum.saturating_add(size[part as usize]);
                uses[part as usize] += 1;
            });
            size[id as usize] = sum;
        }
        let large = size[formula as usize] > FEW;
        let mut depth = vec![0u32; self.nodes.len()];
        let mut definitions = Vec::new();
        for &id in needed {
            let mut inner = 0;
            self.each_part(id, |part| inner = inner.max(depth[part as usize]));
            let brackets = match &self.nodes[id as usize] {
                Node::And(parts) => !parts.is_empty(),
                Node::Until(path, ..) | Node::Forever(path) => !self.is_true(*path),
                Node::Not(_) | Node::Step(..) => false,
            };
            depth[id as usize] = inner + u32::from(brackets);
            // Short parts are easier to read in place.
            let shared = large && uses[id as usize] > 1 && size[id as usize] > 3;
            if id != formula && (shared || depth[id as usize] > DEEP) {
                depth[id as usize] = 0;
                definitions.push(id);
            }
        }
        definitions
    }

    fn write(&self, formula: Id, defined: &[u32], names: &dyn Names, out: &mut Vec<u8>) {
        let mut waiting = self.items(formula);
        waiting.reverse();
        while let Some(item) = waiting.pop() {
            match item {
                Text(text) => out.extend_from_slice(text.as_bytes()),
                Label(label) => out.extend(names.name(label)),
                Formula(id) if defined[id as usize] > 0 => {
                    out.extend_from_slice(format!("F{}", defined[id as usize]).as_bytes());
                }
                Formula(id) => waiting.extend(self.items(id).into_iter().rev()),
            }
        }
    }

    fn items(&self, formula: Id) -> Vec<Item> {
        match &self.nodes[formula as usize] {
            Node::And(parts) if parts.is_empty() => vec![Text("true")],
            Node::And(parts) => {
                let mut items = vec![Text("(")];
                for (at, &part) in parts.iter().enumerate() {
                    items.extend((at > 0).then_some(Text(" && ")));
                    items.push(Formula(part));
                }
                items.push(Text(")"));
                items
            }
            Node::Not(part) => vec![Text("!"), Formula(*part)],
            Node::Step(label, part) => vec![Text("<"), Label(*label), Text(">"), Formula(*part)],
            Node::Until(path, label, goal) => self.until_items(*path, *label, *goal),
            Node::Forever(part) if self.is_true(*part) => vec![Text("<tau>@")],
            Node::Forever(part) => vec![Text("<("), Formula(*part), Text(")?.tau>@")],
        }
    }

    fn until_items(&self, path: Id, label: Option<ids::Label>, mut goal: Id) -> Vec<Item> {
        let mut items = vec![Text("<")];
        if self.is_true(path) {
            items.push(Text("tau*"));
        } else {
            items.extend([Text("(("), Formula(path), Text(")?.tau)*")]);
            if label.is_some() {
                items.extend([Text(".("), Formula(path), Text(")?")]);
            }
        }
        if let Some(label) = label {
            items.extend([Text("."), Label(label)]);
            if let Node::Until(always, None, after) = self.nodes[goal as usize]
                && self.is_true(always)
            {
                items.push(Text(".tau*"));
                goal = after;
            }
        }
        items.extend([Text(">"), Formula(goal)]);
        items
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Letters;

    impl Names for Letters {
        fn name(&self, label: ids::Label) -> Vec<u8> {
            vec![b'a' + label.0 as u8]
        }
    }

    fn text(formulas: &Formulas, formula: Id) -> String {
        String::from_utf8(formulas.show(formula, &Letters)).unwrap()
    }

    #[test]
    fn internal_steps_to_any_state_are_trivial() {
        let mut formulas = Formulas::default();
        let truth = formulas.truth();
        assert_eq!(formulas.until(truth, None, truth), truth);
    }

    #[test]
    fn two_negations_cancel() {
        let mut formulas = Formulas::default();
        let truth = formulas.truth();
        let step = formulas.step(ids::Label(0), truth);
        let negated = formulas.not(step);
        assert_eq!(formulas.not(negated), step);
        assert_eq!(text(&formulas, negated), "!<a>true");
    }

    #[test]
    fn a_small_formula_has_no_definitions() {
        let mut formulas = Formulas::default();
        let truth = formulas.truth();
        let left = formulas.step(ids::Label(0), truth);
        let right = formulas.not(left);
        let both = formulas.and([left, right]);
        assert_eq!(text(&formulas, both), "(<a>true && !<a>true)");
    }

    #[test]
    fn formulas_of_exponential_size_have_definitions() {
        let mut formulas = Formulas::default();
        let mut formula = formulas.truth();
        for _ in 0..30 {
            let (left, right) =
                (formulas.step(ids::Label(0), formula), formulas.step(ids::Label(1), formula));
            formula = formulas.and([left, right]);
        }
        let shown = text(&formulas, formula);
        assert!(
            shown.starts_with("let F1 = (<a>true && <b>true) in\nlet F2 = (<a>F1 && <b>F1) in\n")
        );
        assert!(shown.ends_with("in\n(<a>F29 && <b>F29)"));
    }

    #[test]
    fn deeply_nested_formulas_have_definitions() {
        let mut formulas = Formulas::default();
        let truth = formulas.truth();
        let mut formula = formulas.step(ids::Label(0), truth);
        for label in 0..200 {
            let (left, right) = (
                formulas.step(ids::Label(label % 3), formula),
                formulas.step(ids::Label(3), truth),
            );
            formula = formulas.and([left, right]);
        }
        let shown = text(&formulas, formula);
        assert_eq!(shown.matches("let F").count(), 3);
        assert!(shown.lines().all(|line| line.matches('(').count() <= DEEP as usize + 1));
    }
}
