//! Labels, numbered before they are text.

use crate::base::label_table::Labels;
use crate::data::rewrite::Data;
use crate::lpe::process::stop::Stop;
use rustc_hash::FxHashMap;

/// A label before it is text: an action and its arguments.
#[derive(Default)]
pub struct LabelKeys {
    numbers: FxHashMap<Box<[u32]>, u32>,
    pub keys: Vec<Box<[u32]>>,
    /// For every key the number of its text.
    pub texts: Vec<u32>,
    pub labels: Labels,
    /// Bytes of all texts.
    written: usize,
}

impl LabelKeys {
    /// The number of a label given as action and arguments; an error if all texts would take more
    /// than `most` bytes.
    pub fn intern(
        &mut self,
        key: Vec<u32>,
        data: &Data,
        actions: &[Vec<u8>],
        most: usize,
    ) -> Result<u32, Stop> {
        if let Some(&number) = self.numbers.get(&key[..]) {
            return Ok(number);
        }
        let most = most.saturating_sub(self.written);
        let mut text = actions[key[0] as usize].clone();
        for (i, &argument) in key[1..].iter().enumerate() {
            text.push(if i == 0 { b'(' } else { b',' });
            if !data.terms.write(argument, most, &mut text) {
                return Err(Stop::Labels(None));
            }
        }
        self.written += text.len().min(most);
        if key.len() > 1 {
            text.push(b')');
        }
        let number = self.keys.len() as u32;
        let key: Box<[u32]> = key.into();
        self.keys.push(key.clone());
        self.numbers.insert(key, number);
        self.texts.push(self.labels.intern(&text));
        Ok(number)
    }
}
