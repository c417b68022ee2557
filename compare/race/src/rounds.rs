//! The race itself: in every round each racer does the batch once, in an order shuffled anew.

use crate::clock::{Stopwatch, ticks};
use crate::operations::{Batch, Inputs, Material, Operation};
use crate::racer::Racer;
use contender::{ALL, Job};
use fastrand::Rng;
use std::ops::Range;
use std::time::Instant;

/// A racer's times in one operation.
pub struct Lane<'a> {
    pub racer: &'a Racer,
    pub operation: &'static Operation,
    pub samples: Vec<Sample>,
    /// How many operations these are of.
    pub count: usize,
    /// Of what signs the set of messages one by one: the ticks of each message, in every round.
    pub messages: Vec<Vec<f64>>,
}

/// What one round gave.
#[derive(Clone, Copy)]
pub struct Sample {
    /// The round's number: samples of two lanes with the same number are a pair.
    pub round: usize,
    /// Ticks of one operation.
    pub ticks: f64,
}

/// When a race ends.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Once every racer has done each operation so often (the slow ones less often, see [`share`]),
    pub count: usize,
    /// or the time is up,
    pub until: Instant,
    /// but not before so many rounds.
    pub fewest_rounds: usize,
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
                messages: Vec::new(),
            }));
        }
    }
    lanes
}

/// Races a group of operations. `None` if the inputs cannot be made.
pub fn race<'a>(
    material: &Material,
    group: &'static [Operation],
    racers: &[&'a Racer],
    rng: &mut Rng,
    limits: Limits,
) -> Option<Vec<Lane<'a>>> {
    let mut lanes = lanes(material, group, racers, rng);
    let smallest_batch = group.iter().map(|operation| batch(material, operation)).min()?;
    let most_rounds = limits.count.div_ceil(smallest_batch).max(limits.fewest_rounds);
    let mut all_jobs: Vec<Option<Jobs>> = lanes.iter().map(|_| None).collect();
    for round_number in 0..most_rounds {
        if round_number >= limits.fewest_rounds && Instant::now() >= limits.until {
            break;
        }
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
        let mut totals = vec![(0.0, 0); lanes.len()];
        let stretches = lanes.iter().map(|lane| stretches(material, lane.operation)).max().unwrap_or(0);
        for stretch in 0..stretches {
            let mut order = (0..lanes.len()).collect::<Vec<_>>();
            rng.shuffle(&mut order);
            for index in order {
                let (lane, jobs) = (&mut lanes[index], all_jobs[index].as_mut()?);
                let batch = batch(material, lane.operation);
                if stretch >= self::stretches(material, lane.operation) {
                    continue;
                }
                let warm_up = time(lane.racer, jobs.warm_up.as_mut(), ALL).max(1);
                let (ticks, count) = match is_by_message(lane.operation) {
                    true => sign_messages(lane, jobs.batch.as_mut(), stretch * STRETCH, batch),
                    false => {
                        let larger = batch / smallest_batch;
                        let share = share(lane.operation, batch, warm_up, larger, round_number);
                        (run_batch(lane, jobs.batch.as_mut(), share, warm_up), share)
                    }
                };
                totals[index].0 += ticks as f64;
                totals[index].1 += count;
                (lane.racer.rest)();
            }
        }
        for (lane, (ticks, count)) in lanes.iter_mut().zip(totals).filter(|(_, total)| total.1 > 0) {
            lane.samples.push(Sample { round: round_number, ticks: ticks / count as f64 });
            lane.count += count;
        }
    }
    Some(lanes)
}

/// How many messages a racer signs before the next one's turn: those of a round are paired, and
/// the machine's pace must not change between them.
const STRETCH: usize = 16;

/// Whether an operation signs the set of messages one by one, which are timed so.
fn is_by_message(operation: &Operation) -> bool {
    operation.batch == Batch::MessageSet && operation.smallest_turn == 1
}

/// In how many stretches the racers take turns within a round.
fn stretches(material: &Material, operation: &Operation) -> usize {
    if is_by_message(operation) { material.messages.len().div_ceil(STRETCH) } else { 1 }
}

/// Signs the messages of a stretch: the ticks, and how many messages there were.
fn sign_messages(lane: &mut Lane, job: &mut dyn Job, first: usize, batch: usize) -> (u64, usize) {
    lane.messages.resize(batch, Vec::new());
    let messages = first..batch.min(first + STRETCH);
    let count = messages.len();
    let time = |message| {
        let ticks = time(lane.racer, job, message..message + 1);
        lane.messages[message].push(ticks as f64);
        ticks
    };
    (messages.map(time).sum(), count)
}

/// The ticks of the first operations of a batch, in turns.
fn run_batch(lane: &Lane, job: &mut dyn Job, share: usize, warm_up: u64) -> u64 {
    let Operation { turn, smallest_turn, .. } = *lane.operation;
    let turn = usize::try_from(TURN / warm_up).unwrap_or(1).clamp(smallest_turn, turn);
    let turns = (0..share).step_by(turn).map(|first| first..share.min(first + turn));
    turns.map(|turn| time(lane.racer, job, turn)).sum()
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

/// The ticks of some of a job's operations: of a run without interruption, or of the last try the
/// part in which the thread had the core.
fn time(racer: &Racer, job: &mut dyn Job, operations: Range<usize>) -> u64 {
    let mut elapsed = 0;
    for _ in 0..TRIES {
        let stopwatch = Stopwatch::start();
        let before = ticks();
        let succeeded = job.run(operations.clone());
        elapsed = ticks() - before;
        assert!(succeeded, "{} fails in the middle of the race", racer.name);
        match stopwatch.share_of_core() {
            None => return elapsed,
            Some(share) => elapsed = (elapsed as f64 * share) as u64,
        }
    }
    elapsed
}
