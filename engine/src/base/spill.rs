//! Spilling arrays to a file, to free their memory, and reading them back.
//!
//! Arrays that are spilled together form a *group*. They are visited in the same order in each
//! transfer, and each array keeps its extent in the file, so that a part which has not changed need
//! not be written again. The file is unlinked as soon as it is open: nothing is left however the
//! program ends.

use crate::base::ids::as_index;
use crate::base::memory;
use bytemuck::{Pod, cast_slice, cast_slice_mut};
use std::fs::{File, OpenOptions, remove_file};
use std::io::{Error, Read, Result, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Why a file cannot be written or read: the system's error number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiskError(pub i32);

/// EIO, reported if an error has no number.
const OTHER: i32 = 5;

impl From<Error> for DiskError {
    fn from(error: Error) -> Self {
        Self(error.raw_os_error().unwrap_or(OTHER))
    }
}

/// Bytes written to and read from files, and the time that took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    pub written: u64,
    pub read: u64,
    pub time: Duration,
}

/// The extent of an array in the file: offset, reserved size and used size, in bytes.
#[derive(Clone, Copy, Default)]
struct Extent {
    at: u64,
    room: u64,
    len: u64,
}

#[derive(Default)]
struct Group {
    extents: Vec<Extent>,
    is_spilled: bool,
}

/// Creates a file at this path, replacing what is there, and unlinks it at once.
pub fn unnamed(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    let file = options.read(true).write(true).create(true).truncate(true).open(path)?;
    // If an open file cannot be removed, its name stays.
    let _ = remove_file(path);
    Ok(file)
}

/// A data structure whose memory is divided into groups that can be spilled.
pub trait Spillable {
    /// The number of groups.
    const GROUPS: usize;

    /// The file for the groups, once one was spilled.
    fn storage(&self) -> &Option<Storage>;

    /// The file for the groups, mutable.
    fn storage_mut(&mut self) -> &mut Option<Storage>;

    /// Visits the arrays of a group.
    fn transfer(&mut self, group: usize, transfer: &mut Transfer<'_>) -> Result<()>;

    /// Spills all groups; `path` is the file to create if there is none yet.
    fn spill(&mut self, path: PathBuf) -> std::result::Result<(), DiskError> {
        self.storage_mut().get_or_insert_with(|| Storage::new(path, Self::GROUPS));
        (0..Self::GROUPS).try_for_each(|group| self.move_group(group, true))?;
        memory::give_back();
        Ok(())
    }

    /// Reads the given groups back, if they are spilled.
    fn read_back(&mut self, groups: &[usize]) -> std::result::Result<(), DiskError> {
        groups.iter().try_for_each(|&group| self.move_group(group, false))
    }

    /// Spills a group (`out`) or reads it back, if it is not there already.
    fn move_group(&mut self, group: usize, out: bool) -> std::result::Result<(), DiskError> {
        let Some(mut storage) = self.storage_mut().take() else { return Ok(()) };
        let moved = match storage.is_spilled(group) == out {
            true => Ok(()),
            false => storage.transfer(group, out, |transfer| self.transfer(group, transfer)),
        };
        *self.storage_mut() = Some(storage);
        moved
    }

    /// For each group, its bytes in the file; 0 if it is in memory.
    fn spilled_bytes(&self) -> Vec<u64> {
        let storage = self.storage().as_ref();
        (0..Self::GROUPS).map(|group| storage.map_or(0, |all| all.group_bytes(group))).collect()
    }

    /// Bytes written to the file and read from it so far.
    fn traffic(&self) -> Traffic {
        self.storage().as_ref().map_or(Traffic::default(), |storage| storage.traffic)
    }
}

/// A file for arrays in groups.
pub struct Storage {
    path: PathBuf,
    file: Option<File>,
    end: u64,
    groups: Vec<Group>,
    pub traffic: Traffic,
}

impl Storage {
    /// A file for `groups` groups. It is created, replacing what is there, when something is first
    /// spilled.
    pub fn new(path: PathBuf, groups: usize) -> Self {
        let groups = (0..groups).map(|_| Group::default()).collect();
        Self { path, file: None, end: 0, groups, traffic: Traffic::default() }
    }

    /// Whether a group is spilled.
    pub fn is_spilled(&self, group: usize) -> bool {
        self.groups[group].is_spilled
    }

    /// The bytes of a group in the file; 0 if it is in memory.
    pub fn group_bytes(&self, group: usize) -> u64 {
        let group = Some(&self.groups[group]).filter(|group| group.is_spilled);
        group.map_or(0, |group| group.extents.iter().map(|extent| extent.len).sum())
    }

    /// Spills a group (`out`) or reads it back; `visit` visits its arrays.
    pub fn transfer(
        &mut self,
        group: usize,
        out: bool,
        visit: impl FnOnce(&mut Transfer<'_>) -> Result<()>,
    ) -> std::result::Result<(), DiskError> {
        debug_assert_ne!(self.is_spilled(group), out);
        let begun = Instant::now();
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(unnamed(&self.path)?),
        };
        let mut extents = std::mem::take(&mut self.groups[group].extents);
        let (end, traffic) = (&mut self.end, &mut self.traffic);
        let mut transfer = Transfer { file, extents: &mut extents, next: 0, end, traffic, out };
        let done = visit(&mut transfer);
        self.groups[group] = Group { extents, is_spilled: out };
        self.traffic.time += begun.elapsed();
        Ok(done?)
    }
}

/// One transfer of the arrays of a group, out or back.
pub struct Transfer<'a> {
    file: &'a mut File,
    extents: &'a mut Vec<Extent>,
    next: usize,
    end: &'a mut u64,
    traffic: &'a mut Traffic,
    out: bool,
}

impl Transfer<'_> {
    /// Whether the arrays are being spilled.
    pub fn is_out(&self) -> bool {
        self.out
    }

    /// Marks all arrays as changed: on the way out they are written in full.
    pub fn renew(&mut self) {
        self.extents.iter_mut().for_each(|extent| extent.len = 0);
    }

    /// Visits an array that only grows at its end: what was written before is not written again.
    pub fn grows<T: Pod>(&mut self, array: &mut Vec<T>) -> Result<()> {
        self.array(array, u64::MAX)
    }

    /// Visits an array that may have changed anywhere; it is written in full.
    pub fn any<T: Pod>(&mut self, array: &mut Vec<T>) -> Result<()> {
        self.array(array, 0)
    }

    /// Visits an array that is the same as when it was last spilled, unless it `changed`.
    pub fn changing<T: Pod>(&mut self, changed: bool, array: &mut Vec<T>) -> Result<()> {
        self.array(array, if changed { 0 } else { u64::MAX })
    }

    /// Visits pairs of numbers that only grow at their end.
    pub fn pairs_grow(&mut self, pairs: &mut Vec<(u64, u32)>) -> Result<()> {
        self.pairs(pairs, u64::MAX)
    }

    /// Visits pairs of numbers that may have changed anywhere.
    pub fn pairs_any(&mut self, pairs: &mut Vec<(u64, u32)>) -> Result<()> {
        self.pairs(pairs, 0)
    }

    fn pairs(&mut self, pairs: &mut Vec<(u64, u32)>, unchanged: u64) -> Result<()> {
        let mut array: Vec<u64> = pairs.iter().map(|pair| pair.0).collect();
        self.array(&mut array, unchanged)?;
        let mut second: Vec<u32> = pairs.iter().map(|pair| pair.1).collect();
        self.array(&mut second, unchanged)?;
        *pairs = array.into_iter().zip(second).collect();
        Ok(())
    }

    /// Moves one array; its first `unchanged` bytes, or as many as there are, need not be written
    /// again.
    fn array<T: Pod>(&mut self, array: &mut Vec<T>, unchanged: u64) -> Result<()> {
        if self.next == self.extents.len() {
            self.extents.push(Extent::default());
        }
        let extent = &mut self.extents[self.next];
        self.next += 1;
        if !self.out {
            let mut back: Vec<T> = memory::zeroed(as_index(extent.len) / size_of::<T>());
            self.file.seek(SeekFrom::Start(extent.at))?;
            self.file.read_exact(cast_slice_mut(&mut back))?;
            self.traffic.read += extent.len;
            *array = back;
            return Ok(());
        }
        let bytes: &[u8] = cast_slice(array);
        let length = bytes.len() as u64;
        let mut unchanged = unchanged.min(extent.len).min(length);
        if length > extent.room {
            extent.room = length.next_power_of_two();
            extent.at = *self.end;
            *self.end += extent.room;
            unchanged = 0;
        }
        extent.len = length;
        if unchanged < length {
            self.file.seek(SeekFrom::Start(extent.at + unchanged))?;
            self.file.write_all(&bytes[as_index(unchanged)..])?;
            self.traffic.written += length - unchanged;
        }
        *array = Vec::new();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type Arrays = (Vec<u32>, Vec<u64>, Vec<(u64, u32)>);

    fn storage(name: &str) -> Storage {
        let name = format!("ltstool-{}-{name}", std::process::id());
        Storage::new(std::env::temp_dir().join(name), 2)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn spilled_arrays_are_read_back(steps in prop::collection::vec((0usize..2, any::<bool>(), prop::collection::vec(any::<u32>(), 0..50)), 0..30)) {
            let mut storage = storage("comes-back");
            let mut groups: [Arrays; 2] = Default::default();
            let mut expected = groups.clone();
            for (which, changed, more) in steps {
                let (any, grown, pairs) = &mut expected[which];
                grown.extend(more.iter().map(|&number| u64::from(number)));
                pairs.extend(more.iter().map(|&number| (u64::from(number) << 9, number)));
                if changed {
                    *any = more.clone();
                }
                groups[which] = expected[which].clone();
                for out in [true, false] {
                    let (any, grown, pairs) = &mut groups[which];
                    storage.transfer(which, out, |transfer| {
                        transfer.changing(changed, any)?;
                        transfer.grows(grown)?;
                        transfer.pairs_grow(pairs)
                    }).unwrap();
                    prop_assert_eq!(storage.is_spilled(which), out);
                    if out {
                        prop_assert!(any.is_empty() && grown.is_empty());
                        let [any, grown, pairs] = [expected[which].0.len(), expected[which].1.len(), expected[which].2.len()];
                        let bytes = 4 * any + 8 * grown + 12 * pairs;
                        prop_assert!(storage.group_bytes(which) == bytes as u64);
                    }
                }
                prop_assert_eq!(&groups[which], &expected[which]);
            }
        }
    }

    #[test]
    fn unchanged_bytes_are_written_once() {
        let mut storage = storage("again");
        let mut array = vec![1u32, 2, 3];
        for (more, written) in [(false, 12), (false, 12), (true, 16)] {
            if more {
                array.push(4);
            }
            storage.transfer(0, true, |transfer| transfer.grows(&mut array)).unwrap();
            assert!(array.is_empty());
            assert_eq!(storage.traffic.written, written);
            storage.transfer(0, false, |transfer| transfer.grows(&mut array)).unwrap();
        }
        assert_eq!(array, [1, 2, 3, 4]);
        assert_eq!(storage.traffic.read, 40);
    }

    #[test]
    fn a_missing_directory_is_an_error() {
        let mut storage = Storage::new("/nowhere/at/all".into(), 1);
        let failed = storage.transfer(0, true, |transfer| transfer.any(&mut vec![1u8]));
        assert_eq!(failed, Err(DiskError(2)));
    }
}
