//! The modal mu-calculus on systems: a formula and a system are a parity game.
//!
//! Read `formula`, what is asked of one, `game`, how the game is made, then `zielonka`, how it is
//! solved, and `play`, how one play of it is shown.

pub mod formula;
pub mod game;
pub mod play;
pub mod zielonka;
