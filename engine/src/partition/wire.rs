//! The format of batches between partitions: columns of little-endian numbers, each preceded by its
//! length. It is the same on every machine.

/// A reader of a batch. Missing or superfluous data make the batch unreadable: it was written by
/// another version.
pub struct Incoming<'a>(&'a [u8]);

/// The error of a malformed batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable;

/// Appends a column of bytes.
pub fn put_bytes(batch: &mut Vec<u8>, bytes: &[u8]) {
    batch.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
    batch.extend_from_slice(bytes);
}

/// Appends a column of words.
pub fn put_words(batch: &mut Vec<u8>, words: impl ExactSizeIterator<Item = u32>) {
    put(batch, words.map(u32::to_le_bytes));
}

/// Appends a column of long words.
pub fn put_longs(batch: &mut Vec<u8>, longs: impl ExactSizeIterator<Item = u64>) {
    put(batch, longs.map(u64::to_le_bytes));
}

fn put<const N: usize>(batch: &mut Vec<u8>, column: impl ExactSizeIterator<Item = [u8; N]>) {
    batch.reserve(8 + N * column.len());
    batch.extend_from_slice(&(column.len() as u64).to_le_bytes());
    column.for_each(|number| batch.extend_from_slice(&number));
}

impl<'a> Incoming<'a> {
    /// A reader at the beginning of a batch.
    pub fn new(batch: &'a [u8]) -> Self {
        Self(batch)
    }

    /// Whether everything was read.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Reads a single word.
    pub fn word(&mut self) -> Result<u32, Unreadable> {
        let (word, rest) = self.0.split_first_chunk().ok_or(Unreadable)?;
        self.0 = rest;
        Ok(u32::from_le_bytes(*word))
    }

    /// Reads a column of bytes.
    pub fn bytes(&mut self) -> Result<&'a [u8], Unreadable> {
        self.column(1)
    }

    /// Reads a column of words.
    pub fn words(&mut self) -> Result<impl ExactSizeIterator<Item = u32> + 'a, Unreadable> {
        let (words, _) = self.column(4)?.as_chunks::<4>();
        Ok(words.iter().map(|&word| u32::from_le_bytes(word)))
    }

    /// Reads a column of long words.
    pub fn longs(&mut self) -> Result<impl ExactSizeIterator<Item = u64> + 'a, Unreadable> {
        let (longs, _) = self.column(8)?.as_chunks::<8>();
        Ok(longs.iter().map(|&long| u64::from_le_bytes(long)))
    }

    fn column(&mut self, width: usize) -> Result<&'a [u8], Unreadable> {
        let (length, rest) = self.0.split_first_chunk().ok_or(Unreadable)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| Unreadable)?;
        let length = length.checked_mul(width).ok_or(Unreadable)?;
        let (column, rest) = rest.split_at_checked(length).ok_or(Unreadable)?;
        self.0 = rest;
        Ok(column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn reading_inverts_writing(
            bytes in prop::collection::vec(any::<u8>(), 0..9),
            words in prop::collection::vec(any::<u32>(), 0..9),
            longs in prop::collection::vec(any::<u64>(), 0..9),
            less in 1usize..300,
        ) {
            let mut batch = Vec::new();
            put_longs(&mut batch, longs.iter().copied());
            put_bytes(&mut batch, &bytes);
            put_words(&mut batch, words.iter().copied());
            let read = |batch: &[u8]| -> Result<_, Unreadable> {
                let mut incoming = Incoming::new(batch);
                let all = (
                    incoming.longs()?.collect::<Vec<_>>(),
                    incoming.bytes()?.to_vec(),
                    incoming.words()?.collect::<Vec<_>>(),
                );
                incoming.is_empty().then_some(all).ok_or(Unreadable)
            };
            prop_assert_eq!(read(&batch), Ok((longs, bytes, words)));
            prop_assert_eq!(read(&batch[..batch.len().saturating_sub(less)]), Err(Unreadable));
        }
    }
}
