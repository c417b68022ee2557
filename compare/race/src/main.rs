//! Races girih and its peers, operation by operation, in turn, in one process on one core.

mod clock;
mod cross_check;
mod girih;
mod girih_kem;
mod library;
mod operations;
mod racer;
mod report;
mod rounds;
mod statistics;
mod tables;

use clap::Parser;
use operations::{Batch, FAMILIES, Family, Material, Messages, Operation};
use racer::Racer;
use report::Report;
use rounds::Limits;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A library and the label that tells its build from others.
#[derive(Clone)]
struct Labelled {
    label: String,
    path: PathBuf,
}

fn labelled(argument: &str) -> Result<Labelled, String> {
    let (label, path) = argument.split_once('=').unwrap_or(("", argument));
    Ok(Labelled { label: label.into(), path: path.into() })
}

/// Races girih and its peers, operation by operation, in turn, in one process on one core.
#[derive(Parser)]
struct Arguments {
    /// A build of libgirih.so, with a label for its compiler; may be given again
    #[arg(long, value_name = "LABEL=PATH", value_parser = labelled)]
    girih: Vec<Labelled>,
    /// The engines of girih that race
    #[arg(long, value_delimiter = ',', default_value = "avx512,avx2,portable")]
    engines: Vec<String>,
    /// A peer's library, with a label that is added to its rows; may be given again
    #[arg(long, value_name = "[LABEL=]PATH", value_parser = labelled)]
    peer: Vec<Labelled>,
    /// The folder of the vectors, for the representative messages
    #[arg(long, env = "GIRIH_VECTORS")]
    vectors: Option<PathBuf>,
    /// Only one family of algorithms: signatures, falcon or kem
    #[arg(long, value_parser = ["signatures", "falcon", "kem"])]
    only: Option<String>,
    /// Only these algorithms; those that do not race otherwise are ntrulpr653, 857,
    /// 953, 1013 and 1277
    #[arg(long, value_delimiter = ',')]
    algorithms: Vec<String>,
    /// Only these operations (keygen, sign, verify, encapsulate, decapsulate), with their variants
    #[arg(long, value_delimiter = ',')]
    operations: Vec<String>,
    /// How often every racer does every operation, if the time suffices
    #[arg(long, default_value_t = 2000)]
    count: usize,
    /// How long it all may take, about; signing gets three times as much of it as the others
    #[arg(long, default_value_t = 540)]
    seconds: u64,
    /// In how many rounds, at least, whatever the time
    #[arg(long, default_value_t = 6)]
    rounds: usize,
    /// The core to run on; the last one if not given
    #[arg(long)]
    core: Option<usize>,
    /// Where all keys, messages and orders come from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A JSON file with `versions` of packages, `compilers`, and `failures` of peers
    /// that did not build
    #[arg(long)]
    environment: Option<PathBuf>,
    /// Where compare.json, compare.md and compare.txt go
    #[arg(long, default_value = ".")]
    out: PathBuf,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments = Arguments::parse();
    let core = clock::pin(arguments.core)?;
    let calibration = clock::Calibration::begin();
    let mut report = Report::new(arguments.environment.as_deref(), core)?;
    let racers = load(&arguments, &mut report);

    let mut rng = fastrand::Rng::with_seed(arguments.seed);
    let plan = plan(&arguments);
    let mut clock = Clock::new(&arguments, &plan);
    for (family, algorithm) in plan {
        race(&arguments, family, algorithm, &racers, &mut rng, &mut clock, &mut report)?;
    }
    report.finish(calibration.rate(), &arguments.out)?;
    Ok(())
}

/// The algorithms that race, in their order.
fn plan(arguments: &Arguments) -> Vec<(&'static Family, &'static str)> {
    let mut plan = Vec::new();
    for family in FAMILIES {
        if arguments.only.as_ref().is_some_and(|only| only != family.name) {
            continue;
        }
        let named = |name: &&&str| arguments.algorithms.iter().any(|item| item == **name);
        let usual = family.algorithms.iter().filter(|name| chosen(&arguments.algorithms, name));
        plan.extend(usual.chain(family.on_request.iter().filter(named)).map(|&name| (family, name)));
    }
    plan
}

/// The groups of a family's operations that race.
fn groups(arguments: &Arguments, family: &'static Family) -> impl Iterator<Item = &'static [Operation]> {
    family.groups.iter().copied().filter(|group| chosen(&arguments.operations, group[0].name))
}

/// Shares the time among the races, and says how far they are.
struct Clock {
    end: Instant,
    races: usize,
    begun: usize,
    /// The weights of the races that have not begun.
    left: f64,
}

impl Clock {
    fn new(arguments: &Arguments, plan: &[(&'static Family, &'static str)]) -> Self {
        let races = plan.iter().flat_map(|(family, _)| groups(arguments, family)).collect::<Vec<_>>();
        eprintln!("race: {} races, {} seconds at most, about", races.len(), arguments.seconds);
        let left = races.iter().map(|group| Self::weight(group)).sum();
        let end = Instant::now() + Duration::from_secs(arguments.seconds);
        Self { end, races: races.len(), begun: 0, left }
    }

    /// A round of signatures signs the whole set of messages.
    fn weight(group: &[Operation]) -> f64 {
        if group[0].batch == Batch::MessageSet { 3.0 } else { 1.0 }
    }

    /// Until when the next race may take.
    fn begin(&mut self, algorithm: &str, group: &[Operation]) -> Instant {
        let left = self.end.saturating_duration_since(Instant::now());
        let share = left.mul_f64(Self::weight(group) / self.left);
        self.begun += 1;
        self.left -= Self::weight(group);
        eprintln!(
            "race: {:3} of {}, {algorithm} {}: up to {:.0} seconds, {:.0} left in all",
            self.begun,
            self.races,
            group[0].name,
            share.as_secs_f64(),
            left.as_secs_f64()
        );
        Instant::now() + share
    }
}

/// Whether a name is in a list of those that are wanted; an empty one wants all.
fn chosen(list: &[String], name: &str) -> bool {
    list.is_empty() || list.iter().any(|item| item == name)
}

/// The bytes of keys, and of signatures or ciphertexts.
fn sizes(material: &Material, family: &Family) -> serde_json::Value {
    let name = if family.signs { "signature" } else { "ciphertext" };
    let outputs = |operation: &str, inputs: &[Vec<u8>]| {
        material.maker.outputs(material.algorithm, operation, inputs).unwrap_or_default()
    };
    let keys = outputs("keygen", &[vec![0; 32]]);
    let [public, secret] = keys.as_slice() else { return serde_json::Value::Null };
    let made = match family.signs {
        true => outputs("sign", &[secret.clone(), vec![0; 32], vec![0; 32]]),
        false => outputs("encapsulate", &[public.clone(), vec![0; 32]]),
    };
    let bytes = made.first().map(Vec::len);
    serde_json::json!({ "public_key": public.len(), "secret_key": secret.len(), name: bytes })
}

/// The race of one algorithm, once it is known who computes it right.
fn race(
    arguments: &Arguments,
    family: &'static Family,
    algorithm: &'static str,
    racers: &[Racer],
    rng: &mut fastrand::Rng,
    clock: &mut Clock,
    report: &mut Report,
) -> Result<(), Box<dyn std::error::Error>> {
    let messages = match family.signs {
        true => Some(Messages::of(algorithm, arguments.vectors.as_deref(), arguments.seed)?),
        false => None,
    };
    let (messages, source) = messages.map(|set| (set.messages, set.source)).unzip();
    let maker = cross_check::trusted(algorithm, racers).ok_or("nobody to race")?;
    let material = Material { algorithm, maker, seed: [0; 32], messages: messages.unwrap_or_default() };
    report.sizes.insert(algorithm.into(), sizes(&material, family));
    let excluded = cross_check::cross_check(&material, family, racers, rng);
    let admitted = racers.iter().filter(|racer| !excluded.contains_key(&racer.name)).collect::<Vec<_>>();
    let mut races = Vec::new();
    for group in groups(arguments, family) {
        let until = clock.begin(algorithm, group);
        let limits = Limits { count: arguments.count, until, fewest_rounds: arguments.rounds };
        let lanes = rounds::race(&material, group, &admitted, rng, limits);
        races.push((group, lanes.ok_or("the inputs of the race cannot be made")?));
    }
    let messages = source.map(|source| (material.messages.len(), source));
    report.add(report::Algorithm { name: algorithm, messages, excluded }, races);
    Ok(())
}

/// Everybody who can race; the report is told of the others.
fn load(arguments: &Arguments, report: &mut Report) -> Vec<Racer> {
    let mut racers = Vec::new();
    let copies = arguments.out.join("compare/copies");
    for Labelled { label, path } in &arguments.girih {
        for engine in &arguments.engines {
            match girih::load(label, path, engine, &copies) {
                Ok(racer) => racers.push(racer),
                Err(reason) => report.left_out(format!("girih[{engine}] {label}"), reason),
            }
        }
    }
    for Labelled { label, path } in &arguments.peer {
        match library::load(label, path) {
            Ok(contenders) => racers.extend(contenders),
            Err(error) => report.left_out(path.display().to_string(), format!("{error:?}")),
        }
    }
    racers
}
