//! Races girih and its peers, operation by operation, in turn, in one process on one core.

mod clock;
mod cross_check;
mod girih;
mod library;
mod operations;
mod racer;
mod report;
mod rounds;
mod tables;

use clap::Parser;
use operations::{FAMILIES, Material, Messages};
use racer::Racer;
use report::{Algorithm, Report};
use std::path::PathBuf;

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
    /// Only these algorithms
    #[arg(long, value_delimiter = ',')]
    algorithms: Vec<String>,
    /// Only these operations (keygen, sign, verify), with their variants
    #[arg(long, value_delimiter = ',')]
    operations: Vec<String>,
    /// How often every racer does every operation, at least
    #[arg(long, default_value_t = 2000)]
    count: usize,
    /// In how many rounds, at least
    #[arg(long, default_value_t = 15)]
    rounds: usize,
    /// The core to run on; the last one if not given
    #[arg(long)]
    core: Option<usize>,
    /// Where all keys, messages and orders come from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A JSON file with `versions` of packages, `compilers`, and `failures` of peers that did not build
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
    let chosen = |list: &[String], name: &str| list.is_empty() || list.iter().any(|item| item == name);

    let mut rng = fastrand::Rng::with_seed(arguments.seed);
    for family in FAMILIES {
        for &algorithm in family.algorithms.iter().filter(|name| chosen(&arguments.algorithms, name)) {
            let Messages { messages, source } =
                Messages::of(algorithm, arguments.vectors.as_deref(), arguments.seed)?;
            let maker = cross_check::trusted(algorithm, &racers).ok_or("nobody to race")?;
            let material = Material { algorithm, maker, seed: [0; 32], messages };
            let excluded = cross_check::cross_check(&material, family, &racers, &mut rng);
            let admitted =
                racers.iter().filter(|racer| !excluded.contains_key(&racer.name)).collect::<Vec<_>>();
            let mut races = Vec::new();
            for &group in family.groups.iter().filter(|group| chosen(&arguments.operations, group[0].name)) {
                eprintln!("race: {algorithm} {}", group[0].name);
                let (count, rounds) = (arguments.count, arguments.rounds);
                let lanes = rounds::race(&material, group, &admitted, &mut rng, count, rounds);
                races.push((group, lanes.ok_or("the inputs of the race cannot be made")?));
            }
            let messages = (material.messages.len(), source);
            report.add(Algorithm { name: algorithm, messages, excluded }, races);
        }
    }
    report.finish(calibration.rate(), &arguments.out)?;
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
