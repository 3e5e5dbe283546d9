//! Binary ATerms of mCRL2: a reader of bytes that Python owns, and a writer that returns blocks of
//! bytes.

use crate::aterm::read::{Output, Reader, Refused, Term};
use crate::aterm::write::Writer;
use crate::bindings::column::bytes;
use crate::bindings::lts::Lts;
use crate::bindings::work::direct;
use bytemuck::cast_slice;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyIndexError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

create_exception!(
    lts._engine,
    TermError,
    PyException,
    "Not a stream of terms: (message, offset in bytes from 0)."
);

fn term_error(refused: Refused) -> PyErr {
    TermError::new_err((refused.message, refused.offset))
}

type Columns<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>, bool);

#[pyclass(module = "lts._engine")]
struct TermReader {
    data: Py<PyBytes>,
    reader: Reader,
}

/// The name of a symbol, and the numbers of arguments, as a tuple.
fn of<'py>(py: Python<'py>, (name, arguments): (&[u8], &[u32])) -> PyResult<Bound<'py, PyAny>> {
    let arguments = PyTuple::new(py, arguments)?;
    Ok((PyBytes::new(py, name), arguments).into_pyobject(py)?.into_any())
}

#[pymethods]
impl TermReader {
    #[new]
    fn new(data: Bound<'_, PyBytes>) -> PyResult<Self> {
        let reader = Reader::new(data.as_bytes()).map_err(term_error)?;
        Ok(Self { data: data.unbind(), reader })
    }

    /// The next output of the stream: a number, or a name with the numbers of arguments; None at
    /// the end.
    fn output<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let data = self.data.as_bytes(py);
        let reader = &mut self.reader;
        Ok(match direct(py, || reader.output(data))?.map_err(term_error)? {
            None => None,
            Some(Output::Number(number)) => Some(number.into_pyobject(py)?.into_any()),
            Some(Output::Term(parts)) => Some(of(py, self.reader.taken_apart(&parts))?),
        })
    }

    /// The sources, labels and targets of the next transitions, as columns of 32 bits; and whether
    /// there may be more. At most `most` transitions and lists are read.
    fn transitions<'py>(&mut self, py: Python<'py>, most: usize) -> PyResult<Columns<'py>> {
        let data = self.data.as_bytes(py);
        let reader = &mut self.reader;
        let columns = direct(py, || reader.transitions(data, most))?.map_err(term_error)?;
        let column = |column: &[u32]| bytes(py, cast_slice(column));
        let (source, label) = (column(&columns.source)?, column(&columns.label)?);
        Ok((source, label, column(&columns.target)?, columns.more))
    }

    /// A number, or a name with the numbers of arguments.
    fn term<'py>(&self, py: Python<'py>, number: usize) -> PyResult<Bound<'py, PyAny>> {
        match self.reader.term(number) {
            None => Err(PyIndexError::new_err("there are fewer terms")),
            Some(Term::Number(number)) => Ok(number.into_pyobject(py)?.into_any()),
            Some(Term::Of(name, arguments)) => of(py, (name, arguments)),
        }
    }

    /// The labels of the transitions read so far, by number.
    fn labels<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.reader.table.iter().map(|label| of(py, self.reader.taken_apart(label))).collect()
    }

    /// The number of lists among the transitions read so far.
    #[getter]
    fn lists(&self) -> usize {
        self.reader.lists.len()
    }

    /// The offset in bytes at which the last output begins.
    #[getter]
    fn offset(&self) -> usize {
        self.reader.begun
    }
}

/// A writer, and the numbers in it of the terms that were copied from a reader, always the same.
#[pyclass(module = "lts._engine")]
struct TermWriter(Writer, Vec<u32>);

#[pymethods]
impl TermWriter {
    #[new]
    fn new() -> Self {
        Self(Writer::new(), Vec::new())
    }

    fn term(&mut self, name: &[u8], arguments: Vec<u32>) -> u32 {
        self.0.term(name, &arguments)
    }

    fn number(&mut self, value: u64) -> u32 {
        self.0.number(value)
    }

    fn output(&mut self, name: &[u8], arguments: Vec<u32>) {
        self.0.output(name, &arguments);
    }

    fn output_number(&mut self, value: u64) {
        self.0.output_number(value);
    }

    /// Writes the transitions `start .. stop`; each label is a term with the symbol `name`.
    fn transitions(
        &mut self,
        py: Python<'_>,
        lts: &Lts,
        span: (usize, usize),
        name: &[u8],
        labels: Vec<Vec<u32>>,
    ) -> PyResult<()> {
        let (start, stop) = span;
        if start > stop || stop > lts.0.transitions() || labels.len() < lts.0.labels.len() {
            return Err(PyIndexError::new_err("the rows are out of range"));
        }
        direct(py, || self.0.transitions(&lts.0, start..stop, name, &labels))
    }

    /// Copies terms of the one reader that this writer copies from; returns their numbers here.
    fn copied(
        &mut self,
        py: Python<'_>,
        reader: &TermReader,
        numbers: Vec<u32>,
    ) -> PyResult<Vec<u32>> {
        if numbers.iter().any(|&number| number as usize >= reader.reader.terms()) {
            return Err(PyIndexError::new_err("there are fewer terms"));
        }
        let Self(writer, copies) = self;
        direct(py, || writer.copy(&reader.reader, &numbers, copies))?;
        Ok(numbers.iter().map(|&number| copies[number as usize]).collect())
    }

    /// Writes the lists among the transitions of the reader that this writer copies from.
    fn lists(&mut self, py: Python<'_>, reader: &TermReader) -> PyResult<()> {
        let Self(writer, copies) = self;
        direct(py, || writer.lists(&reader.reader, copies))
    }

    fn end(&mut self) {
        self.0.end();
    }

    /// Takes the bytes that were written since the last call.
    fn take<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        bytes(py, &self.0.take())
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("TermError", module.py().get_type::<TermError>())?;
    module.add_class::<TermReader>()?;
    module.add_class::<TermWriter>()
}
