//! Symmetry of an LTS: automorphisms, quotients under a group, their encodings and expansions.
//!
//! Read `annotated_quotient` first, which defines a quotient. `orbits_of_lts` computes one from
//! known symmetries; `automorphism_search` finds symmetries, with `equitable_partition`, on the
//! graph of a system (`coloured_graph`) or of a network, net or text (`relational_automorphisms`);
//! `automorphism` finds the permutation of states for one of labels, `isomorphism` a map between
//! two systems, both with `paired_colours`. `canonical_numbers` numbers the parts of a quotient
//! canonically. Operations on quotients: `hide_orbits`, `lifted_evidence`, `original_facts`
//! with `step_sizes`, `minimise`, `rho`.

pub mod annotated_quotient;
pub mod automorphism;
pub mod automorphism_search;
pub mod canonical_numbers;
pub mod coloured_graph;
pub mod equitable_partition;
pub mod hide_orbits;
pub mod isomorphism;
pub mod lifted_evidence;
pub mod minimise;
pub mod orbits_of_lts;
pub mod original_facts;
pub mod paired_colours;
pub mod relational_automorphisms;
pub mod rho;
pub mod step_sizes;
