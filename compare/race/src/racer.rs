//! Who races: girih's builds and the peers, all behind one face.

use contender::{ALL, MaybeJob};

pub enum Kind {
    /// A copy of libgirih with the engine that it runs.
    Girih { engine: String, compiler: String },
    /// Somebody else's library: its package, `portable`, `assembly` or `vector`, and a remark.
    Peer { package: String, code: String, note: String },
}

type MakeJob = dyn Fn(&str, &str, &[&[u8]]) -> MaybeJob;

pub struct Racer {
    pub name: String,
    pub kind: Kind,
    pub make_job: Box<MakeJob>,
    /// Called between turns, not timed.
    pub rest: Box<dyn Fn()>,
}

impl Racer {
    /// A job of this racer; `None` where it does not offer the operation.
    pub fn job(&self, algorithm: &str, operation: &str, inputs: &[Vec<u8>]) -> MaybeJob {
        let inputs = inputs.iter().map(Vec::as_slice).collect::<Vec<_>>();
        (self.make_job)(algorithm, operation, &inputs)
    }

    /// Runs a job once: its outputs, or `None` if it is not offered or fails.
    pub fn outputs(&self, algorithm: &str, operation: &str, inputs: &[Vec<u8>]) -> Option<Vec<Vec<u8>>> {
        let mut job = self.job(algorithm, operation, inputs)?;
        job.run(ALL).then(|| job.outputs().into_owned())
    }

    pub fn is_girih(&self) -> bool {
        matches!(self.kind, Kind::Girih { .. })
    }

    /// Whether it uses no assembly language and no vector instructions beyond the
    /// architecture's baseline.
    pub fn is_portable(&self) -> bool {
        match &self.kind {
            Kind::Girih { engine, .. } => engine == "portable",
            Kind::Peer { code, .. } => code == "portable",
        }
    }
}
