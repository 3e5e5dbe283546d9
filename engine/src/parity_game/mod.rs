//! The modal mu-calculus on systems: a formula and a system are a parity game.
//!
//! Read `formula`, what is asked of one, `game`, how the game is made, then `zielonka`, how it is
//! solved.

pub mod formula;
pub mod game;
pub mod zielonka;
