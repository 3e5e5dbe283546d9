//! The modal mu-calculus on systems: a formula and a system are a parity game.
//!
//! Read `game`, how it is made, then `zielonka`, how it is solved.

pub mod game;
pub mod zielonka;
