//! The action of a permutation group on the nodes of a specification's normal form.

use crate::base::cancel::Cancel;
use crate::group::action::Group;
use crate::group::permutation::Permutation;
use crate::group::schreier_sims::NoGroup;
use crate::symmetry::orbits_of_lts::joined;
use crate::symmetry_of_process::action_on::parameters::Positions;

/// The nodes, with a group on points that acts on them.
pub struct NodeAction {
    /// The group on the points, which acts on the nodes.
    group: Group,
    positions: Positions,
}

impl NodeAction {
    /// The action of `group` on the nodes; `moved` has each generator's permutation of the nodes.
    pub fn new(group: &Group, moved: &[Permutation], cancel: &Cancel) -> Result<Self, NoGroup> {
        let points: Vec<Permutation> =
            (0..moved.len()).map(|i| group.generator(i).into()).collect();
        let count = moved.first().map_or(0, |images| images.len());
        let both = points.iter().zip(moved).map(|(points, nodes)| joined(points, nodes));
        let extended = Group::new(group.points, count, both.collect(), cancel)?;
        let moved: Vec<&[u32]> = moved.iter().map(|images| &images[..]).collect();
        let positions = Positions::new(&points, &moved, group.points, count, cancel)?;
        Ok(Self { group: extended, positions })
    }

    /// The image of a node under an element.
    pub fn image(&self, node: u32, element: &[u32]) -> u32 {
        // Without generators every node is fixed.
        if self.group.generators.is_empty() {
            return node;
        }
        self.positions.image(&self.group, element, node, &mut None)
    }

    /// Calls `add` for the facts of a node about the points: a relation and a list of points that
    /// are in it. The facts of the image of a node are the images of its facts.
    pub fn note(&self, node: u32, mut add: impl FnMut(u64, &[u32])) {
        if self.group.generators.is_empty() {
            return;
        }
        let owners = self.positions.owners(node as usize);
        if !owners.is_empty() {
            add(self.positions.kind(node as usize), owners);
        }
        for &(relation, point) in self.positions.shares(node as usize) {
            add(relation, &[point]);
        }
    }
}
