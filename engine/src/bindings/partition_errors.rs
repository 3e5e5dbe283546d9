//! The exceptions for failures of a partition's work.

use crate::base::spill::DiskError;
use crate::bindings::data::malformed;
use crate::bindings::process::witness::{Shown, shown};
use crate::partition::supersteps::Failure;
use crate::process::linear::Process as EngineProcess;
use crate::process::linear::stop::Stop;
use pyo3::exceptions::{PyMemoryError, PyOSError};
use pyo3::prelude::*;
use std::io;

/// Why there is no result.
pub(super) enum Ended {
    Unreadable,
    Full,
    Disk(DiskError),
    Stop(Stop),
    /// A generator that is not a symmetry, and the reason.
    Witness(Box<(usize, Shown)>),
    /// Values, as bytes, that have to be points, and each generator's permutation of them: all
    /// partitions need these.
    Points(Vec<Vec<u8>>, Vec<Vec<u32>>),
}

impl Ended {
    pub fn from(process: &EngineProcess, failure: Failure) -> Self {
        match failure {
            Failure::Unreadable => Self::Unreadable,
            Failure::Full => Self::Full,
            Failure::Disk(error) => Self::Disk(error),
            Failure::Stop(stop) => Self::of(process, stop),
        }
    }

    pub fn of(process: &EngineProcess, stop: Stop) -> Self {
        let unfit = match stop {
            Stop::Unfit(unfit) => *unfit,
            stop => return Self::Stop(stop),
        };
        match unfit.explained(&process.data) {
            Ok((which, witness)) => Self::Witness(Box::new((which, shown(process, witness)))),
            Err((members, images)) => {
                let bytes = |&member: &u32| {
                    let mut bytes = Vec::new();
                    process.data.terms.to_bytes(member, &mut bytes);
                    bytes
                };
                let images = images.iter().map(|image| image.to_vec()).collect();
                Self::Points(members.iter().map(bytes).collect(), images)
            }
        }
    }

    pub fn error(self) -> PyErr {
        match self {
            Self::Unreadable => malformed("another partition sent a malformed batch".into()),
            Self::Full => PyMemoryError::new_err("a partition has at most 2^32 - 2 states"),
            Self::Disk(error) => on_disk(error),
            Self::Stop(stop) => stop.into(),
            Self::Witness(witness) => Unfitting::new_err((Some(*witness), None::<RawPoints>)),
            Self::Points(members, images) => {
                Unfitting::new_err((None::<(usize, Shown)>, Some((members, images))))
            }
        }
    }
}

/// The exception for a spill file that cannot be written or read.
pub(super) fn on_disk(error: DiskError) -> PyErr {
    PyOSError::new_err((error.0, io::Error::from_raw_os_error(error.0).to_string()))
}

/// Values as bytes, and each generator's permutation of them.
type RawPoints = (Vec<Vec<u8>>, Vec<Vec<u32>>);

pyo3::create_exception!(
    _engine,
    Unfitting,
    pyo3::exceptions::PyException,
    "Values that maps move do not fit the group: a witness, or values that have to be points."
);

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("Unfitting", module.py().get_type::<Unfitting>())
}
