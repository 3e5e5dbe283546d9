//! Witnesses that a permutation is not a symmetry of a process.

/// Why a permutation is not a symmetry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Witness {
    /// The initial value of this parameter is not the image of the value that moves there:
    /// parameter number, value, image.
    Initial(u32, Vec<u8>, Vec<u8>),
    /// The generators do not act on this value as a group: its period does not divide the order of
    /// its generator, or its images contradict each other or the points.
    Value(Vec<u8>),
    /// The elements of the image of this array are not the images of its elements.
    Elements(Vec<u8>),
    /// This summand and its image differ in the action or in the parameters that they read or
    /// write.
    Summand(u32),
    /// A local situation and its image differ in their steps.
    Steps(Box<Difference>),
    /// Two labels with this text have images with different texts.
    Label(u32),
    /// Two values of this sort have the same image: sort, values, image.
    NotInjective(u32, Vec<u8>, Vec<u8>, Vec<u8>),
    /// A value of this sort has more images than the limit: sort, value, limit.
    Many(u32, Vec<u8>, usize),
}

/// A local situation in which a summand and its image do not correspond.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    pub summand: u32,
    /// The parameters that the summand reads, with their values.
    pub situation: Vec<(u32, Vec<u8>)>,
    /// The parameters that the image reads, with their values.
    pub image: Vec<(u32, Vec<u8>)>,
    /// Labels of the steps that the image should have.
    pub expected: Vec<Vec<u8>>,
    /// Labels of the steps that the image has.
    pub found: Vec<Vec<u8>>,
}
