//! Why a permutation is no symmetry of a process.

/// Why a permutation is no symmetry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Witness {
    /// The initial value of this parameter is not the image of the one that moves there; its number,
    /// its value, the image.
    Initial(u32, Vec<u8>, Vec<u8>),
    /// The order of the permutation on this value is not a divisor of the group's order.
    Value(Vec<u8>),
    /// The image of this array has other elements than the images of its own.
    Elements(Vec<u8>),
    /// The summands differ in the action or in the parameters that they read or write.
    Summand(u32),
    /// A local situation and its image differ in their steps.
    Steps(Box<Difference>),
    /// Labels of one text have images of different texts.
    Label(u32),
    /// Two values of this sort have one image: sort, values, image.
    Merged(u32, Vec<u8>, Vec<u8>, Vec<u8>),
    /// A value of this sort has more images than so many: sort, value, number.
    Many(u32, Vec<u8>, usize),
}

/// A summand and its image that do not correspond in one local situation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    pub summand: u32,
    /// The parameters read, with their values.
    pub situation: Vec<(u32, Vec<u8>)>,
    /// The same for the image.
    pub image: Vec<(u32, Vec<u8>)>,
    /// Labels of the steps that the image should have.
    pub expected: Vec<Vec<u8>>,
    /// Labels of the steps that it has.
    pub found: Vec<Vec<u8>>,
}
