//! The expansion of a quotient to its original.

use crate::base::cancel::{Cancel, Result};
use crate::base::ids::Id;
use crate::base::ids::NONE;
use crate::base::lts::Lts;
use crate::base::memory;
use crate::base::stages::Measure;
use crate::symmetry::annotated_quotient::Quotient;
use crate::symmetry::rho::coset_tables::{CosetTables, Images};
use bytemuck::cast_vec;
use std::sync::Arc;

/// The expansion: all images of all stored transitions, with states numbered breadth first. There
/// must be fewer states and transitions than 2^32.
pub fn expand(quotient: &Quotient, cancel: &Cancel) -> Result<Lts> {
    let MemberTransitions { starts, label, target, initial } = transitions(quotient, cancel)?;
    // States are numbered breadth first, and their transitions output on the way.
    let mut number = memory::filled(NONE, starts.len() - 1);
    let mut order = Vec::with_capacity(number.len());
    number[initial as usize] = 0;
    order.push(initial);
    let [mut source, mut labels, mut targets] = [(); 3].map(|()| Vec::with_capacity(target.len()));
    let stage = cancel.stage("numbering states", Measure::Share(number.len() as u64));
    let mut at = 0;
    while at < order.len() {
        stage.check_at(at)?;
        let state = order[at] as usize;
        let transitions = starts[state] as usize..starts[state + 1] as usize;
        source.resize(source.len() + transitions.len(), u32::at(at));
        labels.extend_from_slice(&label[transitions.clone()]);
        for &to in &target[transitions] {
            let number = &mut number[to as usize];
            if *number == NONE {
                *number = u32::at(order.len());
                order.push(to);
            }
            targets.push(*number);
        }
        at += 1;
    }
    let internal = Arc::new(cast_vec(quotient.internal.clone()));
    let columns = [source, labels, targets];
    Ok(Lts::of_numbers(0, u32::at(at), columns, Arc::clone(&quotient.labels), internal))
}

/// The members of all orbits and their transitions, grouped by source.
struct MemberTransitions {
    starts: Vec<u32>,
    label: Vec<u32>,
    target: Vec<u32>,
    initial: u32,
}

fn transitions(quotient: &Quotient, cancel: &Cancel) -> Result<MemberTransitions> {
    let mut tables = CosetTables::new(quotient);
    let bases = tables.bases(cancel)?;
    let mut starts = Vec::with_capacity(bases[quotient.orbits()] as usize + 1);
    let (mut label, mut target) = (Vec::new(), Vec::new());
    starts.push(0);
    let steps = quotient.count(cancel)?;
    let steps = u64::try_from(&steps.0 + &steps.1).expect("they fit into 32 bits");
    let stage = cancel.stage("expanding orbits", Measure::Share(steps));
    let (mut transition, mut unchecked) = (0, 0);
    for orbit in 0..quotient.orbits() {
        let mut all = Vec::new();
        while quotient.source.get(transition) == Some(&u32::at(orbit)) {
            all.extend(tables.represented(transition, cancel)?);
            transition += 1;
        }
        for i in 0..(bases[orbit + 1] - bases[orbit]) as usize {
            stage.check_every(&mut unchecked, 1 + all.len())?;
            label.extend(all.iter().map(|images| images.labels[i]));
            let to = |images: &Images| bases[images.orbit as usize] + images.targets[i];
            target.extend(all.iter().map(to));
            starts.push(u32::at(target.len()));
        }
    }
    assert_eq!(transition, quotient.source.len(), "rows stand in the order of their orbits");
    Ok(MemberTransitions { starts, label, target, initial: bases[quotient.initial as usize] })
}
