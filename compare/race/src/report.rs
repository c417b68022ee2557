//! What came out: one row per racer and operation, girih's ratios to its peers, and who did not
//! race.

use crate::clock::interruptions;
use crate::cross_check::Excluded;
use crate::operations::{Operation, expected_attempts};
use crate::racer::{Kind, Racer};
use crate::rounds::{Lane, Sample};
use crate::statistics::{Estimate, quantile, sorted};
use crate::tables;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::path::Path;

/// The girih side of a row.
#[derive(Clone)]
pub struct Build {
    pub engine: String,
    pub compiler: String,
}

pub struct Row {
    pub algorithm: &'static str,
    pub operation: &'static str,
    pub name: String,
    /// Of girih's rows; a peer has none.
    pub build: Option<Build>,
    pub portable: bool,
    /// What the row runs in the operation's place, if not the operation itself.
    pub stand_in: Option<&'static str>,
    /// How often it was done in all.
    pub count: usize,
    /// In the order of the rounds.
    samples: Vec<Sample>,
    /// Their ticks, sorted.
    ticks: Vec<f64>,
    /// Where the set of messages is signed one by one: the median ticks of each message, sorted.
    messages: Vec<f64>,
}

impl Row {
    /// A quantile of the samples in ticks.
    pub fn quantile(&self, q: f64) -> f64 {
        quantile(&self.ticks, q)
    }

    pub fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    /// The median of the ratios of a rival's time to this row's, each of one round, in which both
    /// met the same machine. `None` if they have no round in common.
    pub fn ratio(&self, rival: &Row) -> Option<Estimate> {
        let mine = self.samples.iter().map(|sample| (sample.round, sample.ticks)).collect::<HashMap<_, _>>();
        let pairs = rival.samples.iter().filter_map(|sample| Some(sample.ticks / mine.get(&sample.round)?));
        Estimate::of(pairs.collect())
    }
}

/// A rival in a row's race, and the ratio of its time to the row's.
pub struct Rival<'a> {
    pub row: &'a Row,
    pub ratio: Estimate,
}

/// The rows of an operation: who ran it, and the peers that are measured by a stand-in. No rows if
/// nobody ran the operation itself.
fn rows(algorithm: &'static str, operation: &'static Operation, lanes: &[Lane]) -> Vec<Row> {
    let running = |name: &'static str| lanes.iter().filter(move |lane| lane.operation.name == name);
    let row = |lane: &Lane| Row {
        algorithm,
        operation: operation.name,
        name: lane.racer.name.clone(),
        build: match &lane.racer.kind {
            Kind::Girih { engine, compiler } => {
                Some(Build { engine: engine.clone(), compiler: compiler.clone() })
            }
            Kind::Peer { .. } => None,
        },
        portable: lane.racer.is_portable(),
        stand_in: (lane.operation.name != operation.name).then_some(lane.operation.name),
        count: lane.count,
        samples: lane.samples.clone(),
        ticks: sorted(lane.samples.iter().map(|sample| sample.ticks).collect()),
        messages: sorted(lane.messages.iter().map(|ticks| quantile(&sorted(ticks.clone()), 0.5)).collect()),
    };
    let mut rows = running(operation.name).map(row).collect::<Vec<_>>();
    if rows.is_empty() {
        return rows;
    }
    for lane in operation.stand_ins.iter().flat_map(|&stand_in| running(stand_in)) {
        if !lane.racer.is_girih() && !rows.iter().any(|row| row.name == lane.racer.name) {
            rows.push(row(lane));
        }
    }
    rows
}

/// An algorithm's race: how many messages were signed and where they come from, and who was left
/// out.
pub struct Algorithm {
    pub name: &'static str,
    /// None where nothing is signed.
    pub messages: Option<(usize, String)>,
    pub excluded: Excluded,
}

pub struct Report {
    environment: Map<String, Value>,
    pub rows: Vec<Row>,
    /// Packages, code and notes of the peers: name, package, code, note.
    pub peers: Vec<[String; 4]>,
    /// Who did not race, in which algorithm (or in any), and why.
    pub missing: Vec<[String; 2]>,
    pub message_sets: Vec<String>,
    /// The bytes of keys, signatures and ciphertexts, by algorithm.
    pub sizes: Map<String, Value>,
}

fn first_line_after(file: &str, key: &str) -> String {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(key)?.split_once(':'));
    line.map(|(_, value)| value.trim().to_owned()).unwrap_or_default()
}

/// Into how many parts the times of the messages are cut, in the JSON file.
const MESSAGE_QUANTILES: usize = 50;

fn thousandths(number: f64) -> f64 {
    (1000.0 * number).round() / 1000.0
}

/// `[low, median, high]`.
fn interval(estimate: &Estimate) -> Value {
    json!([estimate.low, estimate.median, estimate.high].map(thousandths))
}

impl Report {
    pub fn new(environment: Option<&Path>, core: usize) -> Result<Self, Box<dyn std::error::Error>> {
        let mut environment: Map<String, Value> = match environment {
            Some(path) => serde_json::from_str(&std::fs::read_to_string(path)?)?,
            None => Map::new(),
        };
        let failures = environment.get("failures").and_then(Value::as_object).cloned().unwrap_or_default();
        let missing = failures
            .into_iter()
            .map(|(name, reason)| [name, format!("did not build: {}", reason.as_str().unwrap_or_default())]);
        environment.insert("cpu".into(), first_line_after("/proc/cpuinfo", "model name").into());
        environment.insert("core".into(), core.into());
        Ok(Self {
            missing: missing.collect(),
            environment,
            rows: Vec::new(),
            peers: Vec::new(),
            message_sets: Vec::new(),
            sizes: Map::new(),
        })
    }

    pub fn left_out(&mut self, name: String, reason: String) {
        eprintln!("race: without {name}: {reason}");
        self.missing.push([name, reason]);
    }

    pub fn add(&mut self, algorithm: Algorithm, races: Vec<(&'static [Operation], Vec<Lane>)>) {
        if let Some((count, source)) = algorithm.messages {
            let attempts = expected_attempts(algorithm.name)
                .map(|mean| format!("; attempts at a signature expected from theory: {mean:.2} on average"));
            let attempts = attempts.unwrap_or_default();
            self.message_sets.push(format!("{}: {count} messages, {source}{attempts}", algorithm.name));
        }
        let mut excluded = algorithm.excluded.into_iter().collect::<Vec<_>>();
        excluded.sort();
        for (name, reason) in excluded {
            self.left_out(format!("{name}, {}", algorithm.name), reason);
        }
        for (group, lanes) in races {
            for lane in &lanes {
                self.introduce(lane.racer);
            }
            for operation in group {
                self.rows.extend(rows(algorithm.name, operation, &lanes));
            }
        }
    }

    fn introduce(&mut self, racer: &Racer) {
        if let Kind::Peer { package, code, note } = &racer.kind {
            let peer = [&racer.name, package, code, note].map(String::clone);
            if !self.peers.contains(&peer) {
                self.peers.push(peer);
            }
        }
    }

    /// The peers that raced in the same operation as a row.
    fn rivals(&self, row: &Row) -> impl Iterator<Item = Rival<'_>> {
        let (algorithm, operation) = (row.algorithm, row.operation);
        self.rows
            .iter()
            .filter(move |rival| {
                rival.build.is_none() && rival.algorithm == algorithm && rival.operation == operation
            })
            .filter_map(move |rival| Some(Rival { row: rival, ratio: row.ratio(rival)? }))
    }

    /// The fastest peer in a row's race, among the portable ones if asked.
    pub fn fastest_peer(&self, row: &Row, portable: bool) -> Option<Rival<'_>> {
        self.rivals(row)
            .filter(|rival| rival.row.portable || !portable)
            .min_by(|left, right| left.ratio.median.total_cmp(&right.ratio.median))
    }

    /// One entry of `operations` in the JSON file: a row of girih's and all its rivals.
    fn operation(&self, row: &Row, build: &Build, nanoseconds: impl Fn(f64) -> f64) -> Value {
        let rivals = self.rivals(row).collect::<Vec<_>>();
        let named = |value: &dyn Fn(&Rival) -> Option<Value>| {
            let pairs = rivals.iter().filter_map(|rival| Some((rival.row.name.clone(), value(rival)?)));
            Value::Object(pairs.collect::<Map<_, _>>())
        };
        let mut entry = json!({
            "algorithm": row.algorithm,
            "operation": row.operation,
            "engine": build.engine,
            "compiler": build.compiler,
            "girih_ns": nanoseconds(row.median()),
            "girih_p10_ns": nanoseconds(row.quantile(0.1)),
            "girih_p90_ns": nanoseconds(row.quantile(0.9)),
            "girih_count": row.count,
            "peers": named(&|rival| Some(json!(nanoseconds(rival.row.median())))),
            "ratios": named(&|rival| Some(interval(&rival.ratio))),
            "stand_ins": named(&|rival| Some(json!(rival.row.stand_in?))),
        });
        for (portable, peer, ratio) in
            [(false, "fastest_peer", "ratio"), (true, "fastest_portable_peer", "portable_ratio")]
        {
            if let Some(fastest) = self.fastest_peer(row, portable) {
                entry[peer] = json!(fastest.row.name);
                entry[ratio] = json!(thousandths(fastest.ratio.median));
                entry[format!("{ratio}_interval")] = interval(&fastest.ratio);
                entry[format!("{ratio}_crosses_1")] = json!(fastest.ratio.crosses_1());
            }
        }
        entry
    }

    /// Writes compare.json, compare.txt and compare.md, and prints the ratios, or all
    /// where girih is not.
    pub fn finish(mut self, rate: f64, out: &Path) -> std::io::Result<()> {
        let nanoseconds = |ticks: f64| (10.0 * ticks / rate).round() / 10.0;
        self.environment.insert("ticks_per_second".into(), ((rate * 1e9).round() as u64).into());
        self.environment.insert("interruptions".into(), interruptions().into());
        self.environment.insert("messages".into(), json!(self.message_sets));

        let operations = self.rows.iter().filter_map(|row| {
            let build = row.build.clone()?;
            Some(self.operation(row, &build, nanoseconds))
        });
        let measurements = self.rows.iter().map(|row| {
            let mut entry = json!({
                "algorithm": row.algorithm, "operation": row.operation, "name": row.name,
                "girih": row.build.is_some(), "portable": row.portable, "runs": row.stand_in.unwrap_or(row.operation),
                "ns": nanoseconds(row.median()), "p10_ns": nanoseconds(row.quantile(0.1)),
                "p90_ns": nanoseconds(row.quantile(0.9)), "ticks": row.median().round(), "rounds": row.ticks.len(),
                "count": row.count,
            });
            if !row.messages.is_empty() {
                let quantiles = (0..=MESSAGE_QUANTILES)
                    .map(|part| nanoseconds(quantile(&row.messages, part as f64 / MESSAGE_QUANTILES as f64)));
                entry["messages_ns"] = quantiles.collect();
            }
            entry
        });
        let peers = self.peers.iter().map(|[name, package, code, note]| {
            json!({"name": name, "package": package, "code": code, "note": note})
        });
        let json = json!({
            "environment": self.environment,
            "operations": operations.collect::<Vec<_>>(),
            "measurements": measurements.collect::<Vec<_>>(),
            "peers": peers.collect::<Vec<_>>(),
            "sizes": self.sizes,
            "missing": self.missing.iter().map(|[name, reason]| json!({"name": name, "reason": reason}))
                .collect::<Vec<_>>(),
        });
        std::fs::create_dir_all(out)?;
        std::fs::write(out.join("compare.json"), serde_json::to_string_pretty(&json)? + "\n")?;

        let tables = tables::of(&self, &self.environment, rate);
        let text = tables.iter().map(tables::Table::text).collect::<Vec<_>>().join("\n");
        let markdown = tables.iter().map(tables::Table::markdown).collect::<Vec<_>>().join("\n");
        std::fs::write(out.join("compare.txt"), &text)?;
        std::fs::write(out.join("compare.md"), markdown)?;
        let summary = tables.iter().filter(|table| table.summary).map(tables::Table::text);
        match self.rows.iter().any(|row| row.build.is_some()) {
            true => print!("{}", summary.collect::<Vec<_>>().join("\n")),
            false => print!("{text}"),
        }
        let written =
            ["compare.txt", "compare.md", "compare.json"].map(|name| out.join(name).display().to_string());
        println!("\nAll rows: {}", written.join(", "));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, girih: bool, portable: bool, ticks: &[f64]) -> Row {
        let build = girih.then(|| Build { engine: "portable".into(), compiler: "g++".into() });
        let samples = ticks.iter().enumerate().map(|(round, &ticks)| Sample { round, ticks }).collect();
        let (name, ticks) = (name.into(), sorted(ticks.into()));
        Row {
            algorithm: "ML-DSA-44",
            operation: "sign",
            name,
            build,
            portable,
            stand_in: None,
            count: 1,
            samples,
            ticks,
            messages: vec![],
        }
    }

    #[test]
    fn quantiles_lie_between_the_nearest_samples() {
        let row = row("a", false, false, &[1.0, 2.0, 3.0, 5.0]);
        assert_eq!((row.median(), row.quantile(0.0), row.quantile(1.0)), (2.5, 1.0, 5.0));
    }

    #[test]
    fn a_ratio_is_of_times_in_the_same_round_whatever_the_pace_of_rounds() {
        let girih = row("girih", true, true, &[1.0, 20.0, 3.0]);
        let rival = row("rival", false, true, &[2.0, 40.0, 6.0]);
        assert_eq!(girih.ratio(&rival), Some(Estimate { low: 2.0, median: 2.0, high: 2.0 }));
        let later = Row { samples: vec![Sample { round: 3, ticks: 1.0 }], ..rival };
        assert_eq!(girih.ratio(&later), None);
    }

    #[test]
    fn a_ratio_is_the_fastest_peers_median_over_that_of_girih() {
        let mut report = Report::new(None, 0).expect("no file is read");
        report.rows = vec![
            row("girih", true, true, &[2.0]),
            row("slow", false, true, &[6.0]),
            row("fast", false, false, &[5.0]),
        ];
        let build = report.rows[0].build.clone().expect("the first row is girih's");
        let entry = report.operation(&report.rows[0], &build, |ticks| ticks);
        assert_eq!((&entry["fastest_peer"], &entry["ratio"]), (&json!("fast"), &json!(2.5)));
        assert_eq!(
            (&entry["fastest_portable_peer"], &entry["portable_ratio"]),
            (&json!("slow"), &json!(3.0))
        );
    }
}
