//! The modal mu-calculus on systems: a formula and a system are a parity game.

pub mod game;
pub mod zielonka;
