//! A partition: its states, and what is known of the level under way.

use crate::base::memory;
use crate::base::put_away::{InGroups, Storage};
use crate::lpe::chunk::Chunk;
use crate::lpe::distinct_steps::DistinctSteps;
use crate::lpe::explore::statistics::Cap;
use crate::lpe::process::Process;
use crate::lpe::states::States;
use crate::lpe::store::Store;
use crate::ops::label_patterns::Names;
use crate::partition::Key;
use crate::partition::numbers::Numbers;
use crate::partition::ranking::Ranking;
use crate::partition::shared_nodes::{Hashes, Partner};
use crate::partition::supersteps::{Failure, LabelNumbers, Transitions};
use hashbrown::HashTable;
use std::ops::Range;

/// What is requested of a partition.
pub struct Options {
    /// Which one it is, of so many.
    pub index: usize,
    pub partitions: usize,
    /// Values that the variables of one summand may take in one state.
    pub cap: Cap,
    /// Whether it is retained how each state was visited.
    pub traces: bool,
    /// So many sources without steps are reported of a level.
    pub deadlocks: usize,
    /// Labels that are shown as `tau`.
    pub hidden: Names,
}

// What a partition has in memory, in groups of which each can be spilled.

/// The states: terms, the store, what partners know of it.
pub(super) const STATES: usize = 0;
/// The tables of local steps.
pub(super) const TABLES: usize = 1;
/// The steps of the level, until they are completed.
pub(super) const FOUND: usize = 2;
/// What partners requested, until they are answered.
pub(super) const REQUESTED: usize = 3;

/// The numbers of states, and how they were visited.
pub(super) const NUMBERS: usize = 4;

pub(super) const GROUPS: usize = 5;

/// So many results of rewriting are at hand, of 32 bytes: what is found out is in tables anyway.
const RESULTS: usize = 1 << 16;

/// States that are visited in a level, each once, by the pairs at their roots.
#[derive(Default)]
pub struct Visited {
    places: HashTable<u32>,
    pub roots: Vec<[u32; 2]>,
    pub keys: Vec<Key>,
}

impl Visited {
    /// The place of a state, and whether it is new; `key` says how it was visited now.
    pub fn visit(&mut self, root: [u32; 2], key: Key) -> (u32, bool) {
        let Self { places, roots, keys } = self;
        let hash = |root: [u32; 2]| crate::base::hash::pair(root[0], root[1]);
        let found = places.entry(
            hash(root),
            |&place| roots[place as usize] == root,
            |&place| hash(roots[place as usize]),
        );
        match found {
            hashbrown::hash_table::Entry::Occupied(known) => {
                let place = *known.get();
                let first = &mut keys[place as usize];
                *first = key.min(*first);
                (place, false)
            }
            hashbrown::hash_table::Entry::Vacant(free) => {
                let place = roots.len() as u32;
                free.insert(place);
                roots.push(root);
                keys.push(key);
                (place, true)
            }
        }
    }

    /// Gives up what finds them: no other ones come.
    pub fn forget_places(&mut self) {
        self.places = HashTable::new();
    }

    /// Forgets all, and gives up the room for it.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

/// The level under way, or a piece of it.
#[derive(Default)]
pub struct Level {
    /// Its states, in our store; where it was ended, those to come are behind.
    pub states: Range<u32>,
    /// Their numbers.
    pub sources: Vec<u64>,
    /// The steps of each of these, as far as they were looked at: each once.
    pub degrees: Vec<u32>,
    pub indices: Vec<u32>,
    pub labels: Vec<u32>,
    /// The number of each target, or `OPEN` with its place in `visited`.
    pub targets: Vec<u64>,
    /// The targets that have no number yet, until they are sent to their owners; how many there
    /// were; and for every partition those that it owns.
    pub visited: Visited,
    pub visited_count: usize,
    pub owned: Vec<Vec<u32>>,
    /// The states of ours that are new, and in which order.
    pub new: Visited,
    pub ranking: Ranking,
    /// For every partition the numbers that it requested; `OPEN` with a place in `new`.
    pub answers: Vec<Vec<u64>>,
}

/// How much of the partition checkpoints have.
#[derive(Default)]
pub struct Saved {
    /// Of every place, and then of every inner node.
    pub(crate) nodes: Vec<usize>,
    pub(crate) states: usize,
}

/// A partition of a state space that is being generated.
pub struct Partition<'p> {
    pub(crate) options: Options,
    pub(crate) states: States<'p>,
    pub(crate) chunk: Chunk,
    pub(crate) distinct: DistinctSteps<[u32; 2]>,
    pub(crate) hashes: Hashes,
    pub(crate) partners: Vec<Partner>,
    /// The numbers of our states, which ascend.
    pub(crate) numbers: Numbers,
    /// How each was visited, if that is retained.
    pub(crate) parents: Vec<Key>,
    pub(crate) level: Level,
    pub(crate) labels: LabelNumbers,
    /// There are fewer states than these as long as any are explored.
    pub(crate) most: usize,
    pub transitions: Transitions,
    pub(crate) saved: Saved,
    /// Where the partition is spilled, if it was.
    pub(super) storage: Option<Storage>,
}

impl<'p> Partition<'p> {
    /// No states but the initial one, if it is ours.
    pub fn new(process: &'p mut Process, options: Options) -> Self {
        process.data.memo.most = RESULTS;
        let (mut states, initial) = States::new(process);
        states.evaluator().settle_terms();
        let States { store, view, .. } = &mut states;
        view[..initial.len()].copy_from_slice(&initial);
        let everywhere: Vec<u32> = (0..initial.len() as u32).collect();
        let root = store.intern_below(&store.path(&everywhere), view);
        let mut hashes = Hashes::default();
        hashes.extend(&states.store, states.evaluator.get_mut().expect("no panic while locked"));
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
            // So many values are tried first as may be needed for a limit of states, if there is one.
            most: if options.cap.may_grow() { options.cap.now } else { usize::MAX },
            transitions: Transitions::default(),
            saved: Saved::default(),
            storage: None,
            options,
        }
    }

    /// Finds the steps of some states, and the pair at the root of every target.
    pub(crate) fn steps(&mut self, states: Range<u32>) {
        self.states.expand(states, self.options.cap.now, &mut self.chunk);
        self.learn();
    }

    /// Takes over what is new: values and nodes that were computed, or that others sent.
    pub(crate) fn learn(&mut self) {
        let States { store, evaluator, .. } = &mut self.states;
        self.hashes.extend(store, evaluator.get_mut().expect("no panic while locked"));
    }

    /// The numbers of our states, which ascend.
    pub fn numbers(&mut self) -> Result<&Numbers, Failure> {
        self.have(&[NUMBERS])?;
        Ok(&self.numbers)
    }

    /// Forgets all but the numbers of our states: no level comes any more.
    pub fn release(&mut self) {
        self.states.store = Store::new(self.states.store.places());
        self.hashes = Hashes::default();
        self.partners.clear();
        memory::give_back();
    }

    /// Bytes of the states, and of the tables of local steps, wherever they are.
    pub fn bytes(&self) -> (usize, usize) {
        let (states, tables) = self.states.bytes();
        let numbers = self.numbers.bytes() + size_of_val(&self.parents[..]);
        let away = |group| self.storage.as_ref().map_or(0, |storage| storage.group_bytes(group));
        let states = states + numbers + (away(STATES) + away(NUMBERS)) as usize;
        (states, tables + away(TABLES) as usize)
    }

    /// What is said of values that no equation fits, and how to stop.
    pub fn process(&mut self) -> &mut Process {
        self.states.process()
    }
}
