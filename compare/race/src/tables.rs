//! The report as tables, in text and in Markdown.

use crate::report::{Report, Rival, Row};
use serde_json::{Map, Value};

pub struct Table {
    title: String,
    head: Vec<&'static str>,
    rows: Vec<Vec<String>>,
    /// How many columns from the left are text; the others are numbers.
    text_columns: usize,
    /// Whether it is worth showing without being asked for.
    pub summary: bool,
}

impl Table {
    fn lines(&self) -> impl Iterator<Item = Vec<String>> {
        let head = self.head.iter().map(|&cell| cell.to_owned()).collect();
        std::iter::once(head).chain(self.rows.iter().cloned())
    }

    fn widths(&self) -> Vec<usize> {
        let width = |column: usize| self.lines().map(|line| line[column].chars().count()).max().unwrap_or(0);
        (0..self.head.len()).map(width).collect()
    }

    fn padded(&self, line: &[String]) -> Vec<String> {
        let cells = line.iter().zip(self.widths()).enumerate();
        cells
            .map(|(column, (cell, width))| match column < self.text_columns {
                true => format!("{cell:width$}"),
                false => format!("{cell:>width$}"),
            })
            .collect()
    }

    pub fn text(&self) -> String {
        let lines = self.lines().map(|line| format!("  {}\n", self.padded(&line).join("  ").trim_end()));
        format!("{}\n{}", self.title, lines.collect::<String>())
    }

    pub fn markdown(&self) -> String {
        let mut lines =
            self.lines().map(|line| format!("| {} |\n", self.padded(&line).join(" | "))).collect::<Vec<_>>();
        let rule =
            self.widths().into_iter().enumerate().map(|(column, width)| match column < self.text_columns {
                true => "-".repeat(width + 2),
                false => "-".repeat(width + 1) + ":",
            });
        lines.insert(1, format!("|{}|\n", rule.collect::<Vec<_>>().join("|")));
        format!("### {}\n\n{}", self.title, lines.concat())
    }
}

pub fn of(report: &Report, environment: &Map<String, Value>, rate: f64) -> Vec<Table> {
    let mut tables = vec![
        ratios(
            report,
            rate,
            false,
            "girih against the fastest peer (microseconds; ratio = peer / girih of the same round, its median with\n  an interval that the true one is in by 95 %; `=` where 1 is in it too: neither is the faster)",
        ),
        ratios(report, rate, true, "girih[portable] against the fastest portable peer"),
    ];
    tables.retain(|table| !table.rows.is_empty());
    tables.extend(races(report, rate));
    tables.push(peers(report, environment));
    tables.push(circumstances(report, environment));
    if !report.missing.is_empty() {
        tables.push(Table {
            title: "Not in the race".into(),
            head: vec!["who", "why"],
            rows: report.missing.iter().map(|pair| pair.to_vec()).collect(),
            text_columns: 2,
            summary: true,
        });
    }
    tables
}

fn microseconds(ticks: f64, rate: f64) -> String {
    format!("{:.2}", ticks / rate / 1000.0)
}

fn ratios(report: &Report, rate: f64, portable: bool, title: &str) -> Table {
    let line = |row: &Row| {
        row.build.as_ref()?;
        let peer = report.fastest_peer(row, portable);
        if portable && peer.is_none() {
            return None;
        }
        // What no peer has stands alone.
        let of_peer =
            |cell: fn(&Rival, f64) -> String| peer.as_ref().map_or("-".into(), |peer| cell(peer, rate));
        Some(vec![
            row.algorithm.into(),
            row.operation.into(),
            row.name.clone(),
            of_peer(|peer, _| peer.row.name.clone() + &stand_in(peer.row)),
            microseconds(row.median(), rate),
            of_peer(|peer, rate| microseconds(peer.row.median(), rate)),
            of_peer(|peer, _| format!("{:.2}", peer.ratio.median)),
            of_peer(|peer, _| format!("{:.2}-{:.2}", peer.ratio.low, peer.ratio.high)),
            of_peer(|peer, _| if peer.ratio.crosses_1() { "=" } else { "" }.into()),
        ])
    };
    Table {
        title: title.into(),
        head: vec![
            "algorithm",
            "operation",
            "girih",
            "fastest peer",
            "girih us",
            "peer us",
            "ratio",
            "95 %",
            "",
        ],
        rows: report.rows.iter().filter(|row| row.portable || !portable).filter_map(line).collect(),
        text_columns: 4,
        summary: true,
    }
}

fn stand_in(row: &Row) -> String {
    row.stand_in.map(|name| format!(" [{name}]")).unwrap_or_default()
}

/// One table per algorithm and operation, the fastest first.
fn races(report: &Report, rate: f64) -> Vec<Table> {
    report
        .rows
        .chunk_by(|left, right| (left.algorithm, left.operation) == (right.algorithm, right.operation))
        .map(|rows| {
            let mut rows = rows.iter().collect::<Vec<_>>();
            rows.sort_by(|left, right| left.median().total_cmp(&right.median()));
            let line = |row: &&Row| {
                let us = |q| microseconds(row.quantile(q), rate);
                vec![
                    row.name.clone() + &stand_in(row),
                    if row.portable { "portable" } else { "" }.into(),
                    us(0.5),
                    us(0.1),
                    us(0.9),
                    format!("{:.0}", row.median()),
                    row.count.to_string(),
                ]
            };
            Table {
                title: format!("{} {}", rows[0].algorithm, rows[0].operation),
                head: vec!["", "", "median us", "10 %", "90 %", "ticks", "count"],
                rows: rows.iter().map(line).collect(),
                text_columns: 2,
                summary: false,
            }
        })
        .collect()
}

fn peers(report: &Report, environment: &Map<String, Value>) -> Table {
    let version = |package: &String| {
        let version = environment.get("versions").and_then(|versions| versions.get(package)?.as_str());
        format!("{package} {}", version.unwrap_or_default())
    };
    let line = |[name, package, code, note]: &[String; 4]| {
        vec![name.clone(), version(package), code.clone(), note.clone()]
    };
    Table {
        title: "Peers".into(),
        head: vec!["peer", "package", "code", "note"],
        rows: report.peers.iter().map(line).collect(),
        text_columns: 4,
        summary: false,
    }
}

fn circumstances(report: &Report, environment: &Map<String, Value>) -> Table {
    let plain = |value: &Value| value.as_str().map(str::to_owned).unwrap_or(value.to_string());
    let shown = ["cpu", "core", "ticks_per_second", "interruptions"];
    let mut rows = shown
        .iter()
        .filter_map(|&key| Some(vec![key.to_owned(), plain(environment.get(key)?)]))
        .collect::<Vec<_>>();
    let compilers = environment.get("compilers").and_then(Value::as_object);
    rows.extend(compilers.into_iter().flatten().map(|(name, version)| vec![name.clone(), plain(version)]));
    rows.extend(report.message_sets.iter().map(|set| vec!["messages".into(), set.clone()]));
    Table { title: "Circumstances".into(), head: vec!["what", ""], rows, text_columns: 2, summary: false }
}
