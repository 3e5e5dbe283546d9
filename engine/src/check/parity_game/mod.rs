//! Model checking of the modal mu-calculus by parity games.
//!
//! Read `formula` (the interface to a formula), `game` (its construction), `zielonka` (its
//! solution) and `play` (one play as evidence).

pub mod formula;
pub mod game;
pub mod play;
pub mod zielonka;
