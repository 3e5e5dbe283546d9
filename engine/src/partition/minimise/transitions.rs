//! A queue of transitions, in a file if a path is given.

use crate::base::spill::{DiskError, unnamed};
use bytemuck::{Pod, Zeroable};
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// A transition: an own source, relative to the first own state, and a target of any partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Transition {
    pub target: u64,
    pub source: u32,
    pub label: u32,
}

/// The transitions in memory at a time.
const TOGETHER: usize = 1 << 16;

/// Transitions in the order in which they were added.
#[derive(Default)]
pub struct Transitions {
    file: Option<File>,
    /// The number of transitions in the file; the others follow them.
    written: usize,
    last: Vec<Transition>,
}

impl Transitions {
    /// No transitions yet. They are stored in a file at this path, or in memory if there is none.
    pub fn new(path: Option<&Path>) -> std::result::Result<Self, DiskError> {
        Ok(Self { file: path.map(unnamed).transpose()?, ..Self::default() })
    }

    /// The number of transitions.
    pub fn len(&self) -> usize {
        self.written + self.last.len()
    }

    /// Whether there are no transitions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends a transition.
    pub fn push(&mut self, transition: Transition) -> std::result::Result<(), DiskError> {
        self.last.push(transition);
        if self.last.len() >= TOGETHER { self.flush() } else { Ok(()) }
    }

    /// Writes all transitions to the file, if there is one.
    pub fn flush(&mut self) -> std::result::Result<(), DiskError> {
        if let Some(file) = &mut self.file {
            file.write_all(bytemuck::cast_slice(&self.last))?;
            self.written += self.last.len();
            self.last = Vec::new();
        }
        Ok(())
    }

    /// Calls `visit` with every transition, in order, until it returns false; returns whether it
    /// never did.
    pub fn each(
        &mut self,
        mut visit: impl FnMut(Transition) -> bool,
    ) -> std::result::Result<bool, DiskError> {
        if let Some(file) = &mut self.file {
            file.seek(SeekFrom::Start(0))?;
            let mut reader = BufReader::with_capacity(1 << 18, file);
            for _ in 0..self.written {
                let mut transition = Transition::zeroed();
                reader.read_exact(bytemuck::bytes_of_mut(&mut transition))?;
                if !visit(transition) {
                    return Ok(false);
                }
            }
            reader.into_inner().seek(SeekFrom::End(0))?;
        }
        Ok(self.last.iter().all(|&transition| visit(transition)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transitions_are_read_back_in_order() {
        let name = format!("ltstool-{}-rows", std::process::id());
        let path = std::env::temp_dir().join(name);
        for path in [None, Some(path.as_path())] {
            let mut transitions = Transitions::new(path).unwrap();
            let all = (0..TOGETHER as u32 * 2 + 5).map(|i| Transition {
                source: i,
                label: i ^ 7,
                target: u64::from(i) << 9,
            });
            for (i, transition) in all.clone().enumerate() {
                assert_eq!(transitions.len(), i);
                transitions.push(transition).unwrap();
            }
            for _ in 0..2 {
                let mut expected = all.clone();
                assert!(
                    transitions.each(|transition| expected.next() == Some(transition)).unwrap()
                );
                assert!(expected.next().is_none());
            }
            assert!(!transitions.each(|transition| transition.source < TOGETHER as u32).unwrap());
        }
        assert!(Transitions::new(Some(Path::new("/nowhere/at/all"))).is_err());
    }
}
