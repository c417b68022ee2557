//! The race itself: in every round each racer does the batch once, in an order shuffled anew.

use crate::clock::{interruptions, ticks};
use crate::operations::{Batch, Inputs, Material, Operation};
use crate::racer::Racer;
use contender::{ALL, Job};
use fastrand::Rng;
use std::ops::Range;

/// A racer's times in one operation, in ticks for one operation.
pub struct Lane<'a> {
    pub racer: &'a Racer,
    pub operation: &'static Operation,
    pub samples: Vec<f64>,
    /// How many operations these are of.
    pub count: usize,
}

/// What a lane runs in one round.
struct Jobs {
    /// One operation before those that count: it brings code and stack into the caches.
    warm_up: Box<dyn Job>,
    batch: Box<dyn Job>,
}

/// The inputs of one operation in one round.
struct Round {
    warm_up: Inputs,
    batch: Inputs,
}

fn batch(material: &Material, operation: &Operation) -> usize {
    match operation.batch {
        Batch::Fresh(batch) => batch,
        Batch::MessageSet => material.messages.len(),
    }
}

fn round(material: &Material, operation: &Operation, rng: &mut Rng) -> Option<Round> {
    Some(Round {
        warm_up: (operation.inputs)(material, rng, 1)?,
        batch: (operation.inputs)(material, rng, batch(material, operation))?,
    })
}

fn jobs(material: &Material, lane: &Lane, round: &Round) -> Option<Jobs> {
    let job = |inputs| lane.racer.job(material.algorithm, lane.operation.name, inputs);
    Some(Jobs { warm_up: job(&round.warm_up)?, batch: job(&round.batch)? })
}

/// Who runs what. Where girih races, only what it offers is raced.
fn lanes<'a>(
    material: &Material,
    group: &'static [Operation],
    racers: &[&'a Racer],
    rng: &mut Rng,
) -> Vec<Lane<'a>> {
    let mut lanes = Vec::new();
    for operation in group {
        let Some(inputs) = (operation.inputs)(material, rng, 1) else { continue };
        let offers = |racer: &&&Racer| racer.job(material.algorithm, operation.name, &inputs).is_some();
        let racing = racers.iter().filter(offers).collect::<Vec<_>>();
        if racing.iter().any(|racer| racer.is_girih()) || !racers.iter().any(|racer| racer.is_girih()) {
            lanes.extend(racing.into_iter().map(|racer| Lane {
                racer,
                operation,
                samples: Vec::new(),
                count: 0,
            }));
        }
    }
    lanes
}

/// Races a group of operations until every racer has done each of its own `count` times (the
/// slow ones less often, see [`share`]), in no fewer rounds than `fewest_rounds`. `None` if the
/// inputs cannot be made.
pub fn race<'a>(
    material: &Material,
    group: &'static [Operation],
    racers: &[&'a Racer],
    rng: &mut Rng,
    count: usize,
    fewest_rounds: usize,
) -> Option<Vec<Lane<'a>>> {
    let mut lanes = lanes(material, group, racers, rng);
    let smallest_batch = group.iter().map(|operation| batch(material, operation)).min()?;
    let mut all_jobs: Vec<Option<Jobs>> = lanes.iter().map(|_| None).collect();
    for round_number in 0..count.div_ceil(smallest_batch).max(fewest_rounds) {
        for operation in group {
            let mut fresh = None;
            for (lane, jobs) in lanes.iter().zip(&mut all_jobs) {
                let keep = operation.batch == Batch::MessageSet && jobs.is_some();
                if !std::ptr::eq(lane.operation, operation) || keep {
                    continue;
                }
                if fresh.is_none() {
                    fresh = round(material, operation, rng);
                }
                *jobs = self::jobs(material, lane, fresh.as_ref()?);
            }
        }
        let mut order = (0..lanes.len()).collect::<Vec<_>>();
        rng.shuffle(&mut order);
        for index in order {
            let (lane, jobs) = (&mut lanes[index], all_jobs[index].as_mut()?);
            let batch = batch(material, lane.operation);
            let Operation { turn, smallest_turn, .. } = *lane.operation;
            let warm_up = time(lane.racer, jobs.warm_up.as_mut(), ALL).max(1);
            let share = share(lane.operation, batch, warm_up, batch / smallest_batch, round_number);
            if share > 0 {
                let turn = usize::try_from(TURN / warm_up).unwrap_or(1).clamp(smallest_turn, turn);
                let turns = (0..share).step_by(turn).map(|first| first..share.min(first + turn));
                let ticks: u64 = turns.map(|turn| time(lane.racer, jobs.batch.as_mut(), turn)).sum();
                lane.samples.push(ticks as f64 / share as f64);
                lane.count += share;
            }
            (lane.racer.rest)();
        }
    }
    Some(lanes)
}

/// How many ticks a racer's operations of one round should take at most: some milliseconds. Only
/// key generation of Streamlined NTRU Prime takes longer.
const ROUND: u64 = 3 << 23;

/// How many operations of its batch a racer does in a round: all, unless they take longer than
/// [`ROUND`]. Then it does some of a batch on fresh keys; and what is one call for a whole batch,
/// and has a larger one than others, it does in every second, third, ... round, up to as many
/// operations as these.
fn share(operation: &Operation, batch: usize, ticks: u64, larger: usize, round: usize) -> usize {
    let affordable = usize::try_from(ROUND / ticks).unwrap_or(batch).clamp(1, batch);
    match operation.batch {
        Batch::MessageSet => batch,
        Batch::Fresh(_) if operation.smallest_turn == 1 => affordable,
        Batch::Fresh(_) if round % batch.div_ceil(affordable).min(larger) == 0 => batch,
        Batch::Fresh(_) => 0,
    }
}

/// How many ticks a turn should take at most: a fraction of a millisecond, so that the scheduler,
/// which takes the core away every few milliseconds if others want it, spares most turns.
const TURN: u64 = 1 << 20;

/// How often a turn is run again because the scheduler took the core away in the middle of it.
const TRIES: usize = 5;

/// The ticks of some of a job's operations.
fn time(racer: &Racer, job: &mut dyn Job, operations: Range<usize>) -> u64 {
    let mut elapsed = 0;
    for _ in 0..TRIES {
        let interruptions_before = interruptions();
        let before = ticks();
        let succeeded = job.run(operations.clone());
        elapsed = ticks() - before;
        assert!(succeeded, "{} fails in the middle of the race", racer.name);
        if interruptions() == interruptions_before {
            break;
        }
    }
    elapsed
}
