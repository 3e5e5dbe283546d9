//! A partition: its states, and the data of the current level.

use crate::base::ids::Id;
use crate::base::ids::as_index;
use crate::base::lock::Locked;
use crate::base::memory;
use crate::base::spill::{Spillable, Storage};
use crate::ops::label_patterns::Names;
use crate::partition::Key;
use crate::partition::numbers::Numbers;
use crate::partition::ranking::Ranking;
use crate::partition::shared_nodes::{Hashes, Partner};
use crate::partition::supersteps::{Failure, GlobalTransitions, LabelNumbers};
use crate::process::chunk::Chunk;
use crate::process::distinct_steps::DistinctSteps;
use crate::process::explore::statistics::Cap;
use crate::process::linear::Process;
use crate::process::states::States;
use crate::process::store::Store;
use hashbrown::HashTable;
use std::ops::Range;

/// The options of a partition.
pub struct PartitionOptions {
    /// The index of this partition, and the number of partitions.
    pub index: usize,
    pub partitions: usize,
    /// The cap on values of a summand's variables in one state.
    pub cap: Cap,
    /// Whether to store the key with which each state was visited.
    pub traces: bool,
    /// The most deadlocks reported per level.
    pub deadlocks: usize,
    /// Actions that are left out of labels.
    pub hidden: Names,
}

// The groups of columns that can be spilled.

/// The states: terms, the store, and which nodes partners know.
pub(super) const STATES: usize = 0;
/// The tables of local steps.
pub(super) const TABLES: usize = 1;
/// The steps of the current level, until they are completed.
pub(super) const LEVEL: usize = 2;
/// The requests of partners, until they are answered.
pub(super) const REQUESTED: usize = 3;

/// The numbers of states, and the keys with which they were visited.
pub(super) const NUMBERS: usize = 4;

pub(super) const GROUPS: usize = 5;

/// The most results of rewriting in the cache, of 32 bytes each. A small cache suffices, since most
/// results that are needed again are in the tables.
const RESULTS: usize = 1 << 16;

/// The set of states visited in a level, given by their root pairs.
#[derive(Default)]
pub struct VisitedStates {
    positions: HashTable<u32>,
    pub roots: Vec<[u32; 2]>,
    pub keys: Vec<Key>,
}

impl VisitedStates {
    /// The position of a state, and whether it is new; keeps the least `key`.
    pub fn visit(&mut self, root: [u32; 2], key: Key) -> (u32, bool) {
        let Self { positions, roots, keys } = self;
        let hash = |root: [u32; 2]| crate::base::hash::pair(root[0], root[1]);
        let entry = positions.entry(
            hash(root),
            |&position| roots[position as usize] == root,
            |&position| hash(roots[position as usize]),
        );
        match entry {
            hashbrown::hash_table::Entry::Occupied(known) => {
                let position = *known.get();
                let first = &mut keys[position as usize];
                *first = key.min(*first);
                (position, false)
            }
            hashbrown::hash_table::Entry::Vacant(free) => {
                let position = u32::at(roots.len());
                free.insert(position);
                roots.push(root);
                keys.push(key);
                (position, true)
            }
        }
    }

    /// Frees the index, when no more states are added.
    pub fn forget_positions(&mut self) {
        self.positions = HashTable::new();
    }

    /// Clears the set and frees its memory.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

/// The current level, or a chunk of it.
#[derive(Default)]
pub struct Level {
    /// Its states, in the own store; after the level is finished, the next level begins at its end.
    pub states: Range<u32>,
    /// The numbers of these states.
    pub sources: Vec<u64>,
    /// The number of distinct steps of each state that was expanded.
    pub degrees: Vec<u32>,
    pub indices: Vec<u32>,
    pub labels: Vec<u32>,
    /// The number of each target, or `OPEN` with its position in `visited`.
    pub targets: Vec<u64>,
    /// The targets without numbers, until they are sent to their owners; their count; and for every
    /// partition the positions of those that it owns.
    pub visited: VisitedStates,
    pub visited_count: usize,
    pub owned: Vec<Vec<u32>>,
    /// The new states that this partition owns, and their order.
    pub new: VisitedStates,
    pub ranking: Ranking,
    /// For every partition the numbers that it requested; `OPEN` with a position in `new`.
    pub answers: Vec<Vec<u64>>,
}

/// The numbers of entries that are in checkpoints.
#[derive(Default)]
pub struct Saved {
    /// The number of values of every position, and then of pairs of every inner node.
    pub(crate) nodes: Vec<usize>,
    pub(crate) states: usize,
}

/// One partition of a state space that is being generated.
pub struct Partition<'p> {
    pub(crate) options: PartitionOptions,
    pub(crate) states: States<'p>,
    pub(crate) chunk: Chunk,
    pub(crate) distinct: DistinctSteps<[u32; 2]>,
    pub(crate) hashes: Hashes,
    pub(crate) partners: Vec<Partner>,
    /// The numbers of the own states, in ascending order.
    pub(crate) numbers: Numbers,
    /// For each state the key with which it was visited, if these are stored.
    pub(crate) parents: Vec<Key>,
    pub(crate) level: Level,
    pub(crate) labels: LabelNumbers,
    /// An exclusive bound on the number of states while exploration continues.
    pub(crate) most: usize,
    pub transitions: GlobalTransitions,
    pub(crate) saved: Saved,
    /// The file of a spilled partition.
    pub(super) storage: Option<Storage>,
}

impl<'p> Partition<'p> {
    /// A partition without states, except the initial one if it owns that.
    pub fn new(process: &'p mut Process, options: PartitionOptions) -> Self {
        process.data.memo.most = RESULTS;
        let (mut states, initial) = States::new(process);
        states.evaluator().settle_terms();
        let States { store, view, .. } = &mut states;
        view[..initial.len()].copy_from_slice(&initial);
        let everywhere: Vec<u32> = (0..u32::at(initial.len())).collect();
        let root = store.intern_below(&store.path(&everywhere), view);
        let mut hashes = Hashes::default();
        hashes.extend(&states.store, states.evaluator.exclusive());
        let (mut numbers, mut parents) = (Numbers::default(), Vec::new());
        if hashes.owner(&states.store, root, options.partitions) == options.index {
            states.store.intern(root);
            numbers.push(0);
            parents.extend(options.traces.then_some((u64::MAX, 0)));
        }
        Self {
            partners: (0..options.partitions).map(|_| Partner::new(&states.store)).collect(),
            states,
            chunk: Chunk::default(),
            distinct: DistinctSteps::default(),
            hashes,
            numbers,
            parents,
            level: Level::default(),
            labels: LabelNumbers::default(),
            // If there is a limit on states, the initial cap on values follows from it.
            most: if options.cap.may_grow() { options.cap.now } else { usize::MAX },
            transitions: GlobalTransitions::default(),
            saved: Saved::default(),
            storage: None,
            options,
        }
    }

    /// Computes the steps of some states, and the root pair of every target.
    pub(crate) fn steps(&mut self, states: Range<u32>) {
        self.states.expand(states, self.options.cap.now, &mut self.chunk);
        self.learn();
    }

    /// Updates the hashes for new values and nodes, computed here or received.
    pub(crate) fn learn(&mut self) {
        let States { store, evaluator, .. } = &mut self.states;
        self.hashes.extend(store, evaluator.exclusive());
    }

    /// The numbers of the own states, in ascending order.
    pub fn numbers(&mut self) -> Result<&Numbers, Failure> {
        self.read_back(&[NUMBERS])?;
        Ok(&self.numbers)
    }

    /// Frees everything but the numbers of the states, after the last level.
    pub fn release(&mut self) {
        self.states.store = Store::new(self.states.store.positions());
        self.hashes = Hashes::default();
        self.partners.clear();
        memory::give_back();
    }

    /// The bytes of the states and of the tables of local steps, including spilled ones.
    pub fn bytes(&self) -> (usize, usize) {
        let (states, tables) = self.states.bytes();
        let numbers = self.numbers.bytes() + size_of_val(&self.parents[..]);
        let spilled = |group| self.storage.as_ref().map_or(0, |storage| storage.group_bytes(group));
        let states = states + numbers + as_index(spilled(STATES) + spilled(NUMBERS));
        (states, tables + as_index(spilled(TABLES)))
    }

    /// The process, for its messages about values that no equation matches, and for cancelling.
    pub fn process(&mut self) -> &mut Process {
        self.states.process()
    }
}
