//! Numbers: integers of any size, arithmetic, and the sorts of numbers.
//!
//! A closed number is a single leaf, a *numeral*. It denotes a constructor term: in `Nat` zero or a
//! successor, in `Pos` one or a successor, in `Int` a natural number or minus a positive one. So
//! rules match numerals as they match these terms, and the rules define what a function is; a
//! native operation only gives the same result in one step. `numerals` converts between numerals
//! and constructor terms; `numeral_table` interns numerals.

pub mod numeral_table;
pub mod numerals;

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use std::cmp::Ordering;
use std::fmt;

/// An integer; `Small` if it fits into a machine word.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Number {
    Small(i64),
    /// Boxed, so that small numbers take little room.
    Big(Box<BigInt>),
}

use Number::{Big, Small};

/// The largest exponent for which a power is computed.
const MOST_EXPONENT: u32 = 1 << 20;
/// The number of bits of the largest number that is computed.
const MOST_BITS: u64 = 1 << 24;

impl Number {
    fn big(&self) -> BigInt {
        match self {
            Small(value) => BigInt::from(*value),
            Big(value) => (**value).clone(),
        }
    }

    /// The sum of this number and `more`.
    pub fn plus(&self, more: i64) -> Self {
        match self {
            Small(value) if let Some(sum) = value.checked_add(more) => Small(sum),
            _ => (self.big() + more).into(),
        }
    }

    /// The number with the opposite sign.
    pub fn negated(&self) -> Self {
        match self {
            Small(value) if let Some(result) = value.checked_neg() => Small(result),
            _ => (-self.big()).into(),
        }
    }

    /// Whether it is less than zero.
    pub fn is_negative(&self) -> bool {
        match self {
            Small(value) => *value < 0,
            Big(value) => value.sign() == Sign::Minus,
        }
    }

    /// Whether the absolute value is greater than that of `most`.
    pub fn magnitude_exceeds(&self, most: i64) -> bool {
        match self {
            Small(value) => value.unsigned_abs() > most.unsigned_abs(),
            Big(_) => true,
        }
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        *self == Small(0)
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Small(a), Small(b)) => a.cmp(b),
            (Big(a), Big(b)) => a.cmp(b),
            _ => self.big().cmp(&other.big()),
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<BigInt> for Number {
    fn from(value: BigInt) -> Self {
        i64::try_from(&value).map_or_else(|_| Big(Box::new(value)), Small)
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Small(value) => value.fmt(f),
            Big(value) => value.fmt(f),
        }
    }
}

/// The kinds of sorts that may have numerals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// 1, 2, 3, ...
    Positive,
    /// 0, 1, 2, ...
    Natural,
    /// Whole numbers.
    Integer,
}

impl Kind {
    /// Whether a number belongs to such a sort.
    pub fn has(self, number: &Number) -> bool {
        match self {
            Self::Positive => !number.is_negative() && !number.is_zero(),
            Self::Natural => !number.is_negative(),
            Self::Integer => true,
        }
    }
}

/// A sort of numbers.
#[derive(Clone, Copy, Debug)]
pub struct NumberSort {
    pub kind: Kind,
    pub sort: u32,
    /// The constructors of its numerals: zero or one, and the successor; for `Integer` the
    /// embedding of natural numbers, and minus.
    pub constructors: [u32; 2],
}

/// A native operation on numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    Add,
    Subtract,
    /// Subtraction, with 0 in place of negative results.
    Monus,
    Multiply,
    /// The quotient by a positive number, rounded down.
    Div,
    /// The remainder of `Div`.
    Mod,
    Power,
    Negate,
    Absolute,
    Minimum,
    Maximum,
    Successor,
    Predecessor,
    /// The same number in another sort.
    Convert,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    Different,
}

/// The result of an operation.
pub enum Outcome {
    Number(Number),
    Truth(bool),
}

impl Operation {
    /// The operation with this name.
    pub fn of(name: &str) -> Option<Self> {
        Some(match name {
            "add" => Self::Add,
            "subtract" => Self::Subtract,
            "monus" => Self::Monus,
            "multiply" => Self::Multiply,
            "div" => Self::Div,
            "mod" => Self::Mod,
            "power" => Self::Power,
            "negate" => Self::Negate,
            "absolute" => Self::Absolute,
            "minimum" => Self::Minimum,
            "maximum" => Self::Maximum,
            "successor" => Self::Successor,
            "predecessor" => Self::Predecessor,
            "convert" => Self::Convert,
            "less" => Self::Less,
            "less_or_equal" => Self::LessOrEqual,
            "greater" => Self::Greater,
            "greater_or_equal" => Self::GreaterOrEqual,
            "equal" => Self::Equal,
            "different" => Self::Different,
            _ => return None,
        })
    }

    /// The number of its arguments.
    pub fn arity(self) -> usize {
        match self {
            Self::Negate | Self::Absolute | Self::Successor | Self::Predecessor | Self::Convert => {
                1
            }
            _ => 2,
        }
    }

    /// Whether the result is a truth value.
    pub fn is_comparison(self) -> bool {
        matches!(
            self,
            Self::Less
                | Self::LessOrEqual
                | Self::Greater
                | Self::GreaterOrEqual
                | Self::Equal
                | Self::Different
        )
    }

    /// The result; `None` if it is undefined or too large.
    pub fn apply(self, numbers: &[&Number]) -> Option<Outcome> {
        let number = match (self, numbers) {
            (Self::Negate, [a]) => a.negated(),
            (Self::Absolute, [a]) => {
                if a.is_negative() {
                    a.negated()
                } else {
                    (*a).clone()
                }
            }
            (Self::Successor, [a]) => a.plus(1),
            (Self::Predecessor, [a]) => a.plus(-1),
            (Self::Convert, [a]) => (*a).clone(),
            (Self::Minimum, [a, b]) => (*a.min(b)).clone(),
            (Self::Maximum, [a, b]) => (*a.max(b)).clone(),
            (_, [a, b]) if self.is_comparison() => {
                let order = a.cmp(b);
                return Some(Outcome::Truth(match self {
                    Self::Less => order.is_lt(),
                    Self::LessOrEqual => order.is_le(),
                    Self::Greater => order.is_gt(),
                    Self::GreaterOrEqual => order.is_ge(),
                    Self::Equal => order.is_eq(),
                    _ => order.is_ne(),
                }));
            }
            (_, [a, b]) => self.compute(a, b)?,
            _ => return None,
        };
        Some(Outcome::Number(number))
    }

    fn compute(self, a: &Number, b: &Number) -> Option<Number> {
        if matches!(self, Self::Div | Self::Mod) && (b.is_negative() || b.is_zero()) {
            return None;
        }
        if let (&Small(a), &Small(b)) = (a, b) {
            let small = match self {
                Self::Add => a.checked_add(b),
                Self::Subtract => a.checked_sub(b),
                Self::Monus => a.checked_sub(b).map(|d| d.max(0)),
                Self::Multiply => a.checked_mul(b),
                Self::Div => a.checked_div_euclid(b),
                Self::Mod => a.checked_rem_euclid(b),
                Self::Power => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
                _ => return None,
            };
            if let Some(result) = small {
                return Some(Small(result));
            }
        }
        let (left, right) = (a.big(), b.big());
        let result = match self {
            Self::Add => left + right,
            Self::Subtract => left - right,
            Self::Monus => (left - right).max(BigInt::ZERO),
            Self::Multiply => {
                if left.bits() + right.bits() > MOST_BITS {
                    return None;
                }
                left * right
            }
            Self::Div => left.div_floor(&right),
            Self::Mod => left.mod_floor(&right),
            Self::Power => {
                let exponent = u32::try_from(&right).ok()?;
                if exponent > MOST_EXPONENT || left.bits() * u64::from(exponent) > MOST_BITS {
                    return None;
                }
                left.pow(exponent)
            }
            _ => return None,
        };
        Some(result.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn computed(operation: Operation, left: &BigInt, right: i64) -> Option<Number> {
        match operation.apply(&[&left.clone().into(), &Small(right)])? {
            Outcome::Number(number) => Some(number),
            Outcome::Truth(_) => None,
        }
    }

    #[test]
    fn huge_results_are_not_computed() {
        let two_to = |exponent: u32| BigInt::from(2).pow(exponent);
        let power = |base: &BigInt, exponent| computed(Operation::Power, base, exponent);
        assert_eq!(power(&two_to(64), 3), Some(two_to(192).into()));
        assert_eq!(power(&two_to(64), i64::from(MOST_EXPONENT) / 2), None);
        assert_eq!(power(&two_to(1), 2 * i64::from(MOST_EXPONENT)), None);
        assert_eq!(power(&two_to(1), i64::MAX), None);
        let half = u32::try_from(MOST_BITS / 2).unwrap();
        let times = |number: &BigInt| {
            Operation::Multiply.apply(&[&number.clone().into(), &number.clone().into()])
        };
        assert!(times(&two_to(half / 2)).is_some());
        assert!(times(&two_to(half)).is_none());
    }
}
