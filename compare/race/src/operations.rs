//! What is raced: for each family of algorithms its operations, and where their inputs come from.

use crate::racer::Racer;
use fastrand::Rng;
use std::path::Path;

/// The inputs of one job (see the table in the crate `contender`).
pub type Inputs = Vec<Vec<u8>>;

pub struct Operation {
    pub name: &'static str,
    /// What a peer that lacks the operation is measured by, best first; these are of the same
    /// group.
    pub stand_ins: &'static [&'static str],
    pub batch: Batch,
    /// How many operations are timed together, at most.
    pub turn: usize,
    /// And at least: what is one call for a whole batch is timed as that.
    pub smallest_turn: usize,
    /// Whether everybody makes the same outputs of the same inputs; if not, they are
    /// only shown to others.
    pub same: bool,
    /// Inputs for this many operations in a job.
    pub inputs: fn(&Material, &mut Rng, usize) -> Option<Inputs>,
    /// How a job's inputs are spoiled so that it must fail; `None` where no input can be wrong.
    pub spoil: Option<fn(&mut Inputs)>,
    /// How a job's inputs are changed so that everybody must still make the same of them,
    /// but something else.
    pub change: Option<fn(&mut Inputs)>,
    /// What shows a job's inputs and outputs to be right.
    pub shown: Option<Shown>,
}

type Shown = fn(&Material, &Inputs, &[Vec<u8>]) -> Option<Proof>;

/// An operation on what others made, and what comes out of it if they are right.
pub struct Proof {
    pub operation: &'static str,
    pub inputs: Inputs,
    pub outputs: Vec<Vec<u8>>,
    /// What is said of those for whom it does not.
    pub failure: &'static str,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Batch {
    /// So many operations, on fresh keys every round.
    Fresh(usize),
    /// All the messages of the set, with its one key, every round.
    MessageSet,
}

pub struct Family {
    /// What `--only` calls it; two may have one name.
    pub name: &'static str,
    pub algorithms: &'static [&'static str],
    /// Algorithms that race only if they are named.
    pub on_request: &'static [&'static str],
    /// Whether there are messages.
    pub signs: bool,
    /// Groups of operations that are raced in the same rounds, so that a stand-in is measured once.
    pub groups: &'static [&'static [Operation]],
}

impl Family {
    pub fn operations(&self) -> impl Iterator<Item = &'static Operation> {
        self.groups.iter().copied().flatten()
    }
}

pub const FAMILIES: &[Family] = &[
    Family {
        name: "signatures",
        algorithms: &["ML-DSA-44", "ML-DSA-65", "ML-DSA-87"],
        on_request: &[],
        signs: true,
        groups: SIGNATURES,
    },
    Family {
        name: "falcon",
        algorithms: &["Falcon-padded-512", "Falcon-padded-1024"],
        on_request: &[],
        signs: true,
        groups: FALCON,
    },
    Family {
        name: "kem",
        algorithms: &["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"],
        on_request: &[],
        signs: false,
        groups: ML_KEM,
    },
    Family {
        name: "kem",
        algorithms: &[
            "sntrup761",
            "sntrup653",
            "sntrup857",
            "sntrup953",
            "sntrup1013",
            "sntrup1277",
            "ntrulpr761",
        ],
        on_request: &["ntrulpr653", "ntrulpr857", "ntrulpr953", "ntrulpr1013", "ntrulpr1277"],
        signs: false,
        groups: NTRU_PRIME,
    },
];

/// An operation that every peer has, on fresh keys every round, and whose output is compared alone.
const PLAIN: Operation = Operation {
    name: "",
    stand_ins: &[],
    batch: Batch::Fresh(8),
    turn: 8,
    smallest_turn: 1,
    same: true,
    inputs: |_, _, _| None,
    spoil: None,
    change: None,
    shown: None,
};

const KEYGEN: Operation = Operation { name: "keygen", inputs: seeds, ..PLAIN };

const KEYGEN_MANY: Operation = Operation {
    name: "keygen_many",
    stand_ins: &["keygen"],
    batch: Batch::Fresh(MANY),
    turn: MANY,
    smallest_turn: MANY,
    ..KEYGEN
};

const SIGN: Operation = Operation {
    name: "sign",
    batch: Batch::MessageSet,
    inputs: messages,
    shown: Some(shown_signatures),
    ..PLAIN
};

const VERIFY: Operation =
    Operation { name: "verify", inputs: signatures, spoil: Some(spoil_message), ..PLAIN };

const VERIFY_PREPARED: Operation =
    Operation { name: "verify prepared", stand_ins: &["verify"], inputs: signatures_of_one_key, ..VERIFY };

/// How many keys or signatures one call for many of them gets.
const MANY: usize = 32;

/// The same for signing, where the last few of a call cannot be side by side.
const MANY_TO_SIGN: usize = 256;

const SIGN_PREPARED: Operation = Operation { name: "sign prepared", stand_ins: &["sign"], ..SIGN };

const SIGN_MANY_PREPARED: Operation = Operation {
    name: "sign_many prepared",
    stand_ins: &["sign prepared", "sign"],
    turn: MANY_TO_SIGN,
    smallest_turn: MANY_TO_SIGN,
    ..SIGN
};

const VERIFICATIONS: &[Operation] = &[
    VERIFY,
    VERIFY_PREPARED,
    Operation {
        name: "verify_many",
        stand_ins: &["verify"],
        batch: Batch::Fresh(MANY),
        turn: MANY,
        smallest_turn: MANY,
        ..VERIFY
    },
    Operation {
        name: "verify_many prepared",
        stand_ins: &["verify prepared", "verify"],
        batch: Batch::Fresh(MANY),
        turn: MANY,
        smallest_turn: MANY,
        ..VERIFY_PREPARED
    },
];

const SIGNATURES: &[&[Operation]] =
    &[&[KEYGEN, KEYGEN_MANY], &[SIGN, SIGN_PREPARED, SIGN_MANY_PREPARED], VERIFICATIONS];

/// Everybody maps seeds to keys in a way of its own, and signs with randomness.
const FALCON: &[&[Operation]] = &[
    &[Operation { same: false, shown: Some(shown_keys), ..KEYGEN }],
    &[
        Operation { same: false, ..SIGN },
        Operation { same: false, ..SIGN_PREPARED },
        Operation { same: false, ..SIGN_MANY_PREPARED },
    ],
    VERIFICATIONS,
];

/// Short operations: in a batch of eight, what a processor takes to raise the power of its widest
/// vectors would be a fifth.
const SHORT: Operation = Operation { batch: Batch::Fresh(MANY), turn: MANY, ..PLAIN };

const ENCAPSULATE: Operation =
    Operation { name: "encapsulate", inputs: encapsulations, shown: Some(shown_ciphertexts), ..SHORT };

const DECAPSULATE: Operation =
    Operation { name: "decapsulate", inputs: ciphertexts, change: Some(change_ciphertext), ..SHORT };

const NTRU_PRIME: &[&[Operation]] = &[&[KEYGEN, KEYGEN_MANY], &[ENCAPSULATE], &[DECAPSULATE]];

const ENCAPSULATE_PREPARED: Operation = Operation {
    name: "encapsulate prepared",
    stand_ins: &["encapsulate"],
    inputs: encapsulations_with_one_key,
    ..ENCAPSULATE
};

const DECAPSULATE_PREPARED: Operation = Operation {
    name: "decapsulate prepared",
    stand_ins: &["decapsulate"],
    inputs: ciphertexts_of_one_key,
    ..DECAPSULATE
};

const ML_KEM: &[&[Operation]] = &[
    &[Operation { batch: Batch::Fresh(MANY), turn: MANY, ..KEYGEN }, KEYGEN_MANY],
    &[
        ENCAPSULATE,
        ENCAPSULATE_PREPARED,
        Operation {
            name: "encapsulate_many",
            stand_ins: &["encapsulate"],
            smallest_turn: MANY,
            ..ENCAPSULATE
        },
        Operation {
            name: "encapsulate_many prepared",
            stand_ins: &["encapsulate prepared", "encapsulate"],
            smallest_turn: MANY,
            ..ENCAPSULATE_PREPARED
        },
    ],
    &[
        DECAPSULATE,
        DECAPSULATE_PREPARED,
        Operation {
            name: "decapsulate_many",
            stand_ins: &["decapsulate"],
            smallest_turn: MANY,
            ..DECAPSULATE
        },
        Operation {
            name: "decapsulate_many prepared",
            stand_ins: &["decapsulate prepared", "decapsulate"],
            smallest_turn: MANY,
            ..DECAPSULATE_PREPARED
        },
    ],
];

/// What the inputs of an algorithm's operations are made from.
pub struct Material<'a> {
    pub algorithm: &'static str,
    /// Makes the keys and signatures that everybody verifies.
    pub maker: &'a Racer,
    /// The seed of the key that signs the set of messages.
    pub seed: [u8; 32],
    pub messages: Vec<Vec<u8>>,
}

impl Material<'_> {
    fn key(&self, seed: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
        let mut keys = self.maker.outputs(self.algorithm, "keygen", &[seed.to_vec()])?.into_iter();
        Some((keys.next()?, keys.next()?))
    }
}

fn random_bytes(rng: &mut Rng) -> Vec<u8> {
    std::iter::repeat_with(|| rng.u8(..)).take(32).collect()
}

fn seeds(_: &Material, rng: &mut Rng, count: usize) -> Option<Inputs> {
    Some(std::iter::repeat_with(|| random_bytes(rng)).take(count).collect())
}

fn messages(material: &Material, _: &mut Rng, count: usize) -> Option<Inputs> {
    let key = [material.key(&material.seed)?.1, material.seed.to_vec()];
    Some(key.into_iter().chain(material.messages.iter().take(count).cloned()).collect())
}

fn signatures(material: &Material, rng: &mut Rng, count: usize) -> Option<Inputs> {
    let mut inputs = Inputs::new();
    for _ in 0..count {
        inputs.extend(signatures_of_one_key(material, rng, 1)?);
    }
    Some(inputs)
}

fn signatures_of_one_key(material: &Material, rng: &mut Rng, count: usize) -> Option<Inputs> {
    let seed = random_bytes(rng);
    let (public, secret) = material.key(&seed)?;
    let messages = std::iter::repeat_with(|| random_bytes(rng)).take(count).collect::<Vec<_>>();
    let signing = [secret, seed].into_iter().chain(messages.iter().cloned()).collect::<Vec<_>>();
    let signatures = material.maker.outputs(material.algorithm, "sign", &signing)?;
    let triples = messages.into_iter().zip(signatures);
    Some(triples.flat_map(|(message, signature)| [public.clone(), message, signature]).collect())
}

fn shown_signatures(material: &Material, inputs: &Inputs, signatures: &[Vec<u8>]) -> Option<Proof> {
    let public = material.key(&inputs[1])?.0;
    let pairs = inputs[2..].iter().zip(signatures);
    let inputs =
        pairs.flat_map(|(message, signature)| [public.clone(), message.clone(), signature.clone()]).collect();
    Some(Proof { operation: "verify", inputs, outputs: vec![], failure: "rejects its signature" })
}

/// Key pairs are right if what the one key signs the other verifies.
fn shown_keys(material: &Material, seeds: &Inputs, keys: &[Vec<u8>]) -> Option<Proof> {
    let mut inputs = Inputs::new();
    for (seed, pair) in seeds.iter().zip(keys.chunks(2)) {
        let signing = [pair[1].clone(), seed.clone(), seed.clone()];
        let signature = material.maker.outputs(material.algorithm, "sign", &signing)?.into_iter().next()?;
        inputs.extend([pair[0].clone(), seed.clone(), signature]);
    }
    Some(Proof {
        operation: "verify",
        inputs,
        outputs: vec![],
        failure: "rejects a signature of its key pair",
    })
}

fn spoil_message(inputs: &mut Inputs) {
    inputs[1][0] ^= 1;
}

/// The seed of the key pair that is encapsulated with from a seed: whoever knows this one
/// finds the secret key.
fn seed_of_keys(seed: &[u8]) -> Vec<u8> {
    seed.iter().map(|byte| !byte).collect()
}

fn encapsulations(material: &Material, rng: &mut Rng, count: usize) -> Option<Inputs> {
    let mut inputs = Inputs::new();
    for _ in 0..count {
        inputs.extend(encapsulations_with_one_key(material, rng, 1)?);
    }
    Some(inputs)
}

/// The key pair is made from the first seed.
fn encapsulations_with_one_key(material: &Material, rng: &mut Rng, count: usize) -> Option<Inputs> {
    let seeds = std::iter::repeat_with(|| random_bytes(rng)).take(count).collect::<Vec<_>>();
    let public = material.key(&seed_of_keys(seeds.first()?))?.0;
    Some(seeds.into_iter().flat_map(|seed| [public.clone(), seed]).collect())
}

fn ciphertexts(material: &Material, rng: &mut Rng, count: usize) -> Option<Inputs> {
    let mut inputs = Inputs::new();
    for _ in 0..count {
        inputs.extend(ciphertexts_of_one_key(material, rng, 1)?);
    }
    Some(inputs)
}

fn ciphertexts_of_one_key(material: &Material, rng: &mut Rng, count: usize) -> Option<Inputs> {
    let encapsulated = encapsulations_with_one_key(material, rng, count)?;
    let secret = material.key(&seed_of_keys(encapsulated.get(1)?))?.1;
    let made = material.maker.outputs(material.algorithm, "encapsulate", &encapsulated)?;
    Some(made.into_iter().step_by(2).flat_map(|ciphertext| [secret.clone(), ciphertext]).collect())
}

fn shown_ciphertexts(material: &Material, inputs: &Inputs, made: &[Vec<u8>]) -> Option<Proof> {
    let mut proof = Proof {
        operation: "decapsulate",
        inputs: vec![],
        outputs: vec![],
        failure: "decapsulates another shared secret",
    };
    let (mut public, mut secret) = (&Vec::new(), Vec::new());
    for (encapsulated, made) in inputs.chunks(2).zip(made.chunks(2)) {
        if *public != encapsulated[0] {
            (public, secret) = (&encapsulated[0], material.key(&seed_of_keys(&encapsulated[1]))?.1);
        }
        proof.inputs.extend([secret.clone(), made[0].clone()]);
        proof.outputs.push(made[1].clone());
    }
    Some(proof)
}

/// Another ciphertext is none that an input encrypts to, and is answered by a secret that only the
/// owner of the key can compute (implicit rejection).
fn change_ciphertext(inputs: &mut Inputs) {
    for ciphertext in inputs.iter_mut().skip(1).step_by(2) {
        ciphertext[0] ^= 1;
    }
}

/// The messages that every library signs, and where they come from.
pub struct Messages {
    pub messages: Vec<Vec<u8>>,
    pub source: String,
}

/// How many pseudo-random messages stand in for the representative set.
const PSEUDO_RANDOM: usize = 256;

impl Messages {
    /// The representative set of an algorithm from a folder of vectors, or pseudo-random messages.
    pub fn of(algorithm: &str, vectors: Option<&Path>, seed: u64) -> Result<Self, String> {
        let file = |folder: &Path| folder.join(format!("cctv/benchmark-{algorithm}.json"));
        match vectors.map(file).filter(|file| file.exists()) {
            Some(file) => {
                let text = std::fs::read_to_string(&file).map_err(|error| error.to_string())?;
                let list: Vec<String> =
                    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?;
                let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
                Ok(Self { messages: list.into_iter().map(String::into_bytes).collect(), source: name })
            }
            None => {
                let mut rng = Rng::with_seed(seed);
                let messages =
                    std::iter::repeat_with(|| random_bytes(&mut rng)).take(PSEUDO_RANDOM).collect();
                Ok(Self { messages, source: "pseudo-random messages (no vectors)".into() })
            }
        }
    }
}

/// The expected number of attempts at a signature of ML-DSA: 1 / P(z and r0 pass), with the
/// estimate of the Dilithium specification (round 3.1, Section 3.4), exp(256 beta (l /
/// gamma1 + k / gamma2)).
pub fn expected_attempts(algorithm: &str) -> Option<f64> {
    const Q: f64 = 8_380_417.0;
    // k, l, beta = tau eta, gamma1, gamma2 (FIPS 204, Table 1).
    let (k, l, beta, gamma1, gamma2) = match algorithm {
        "ML-DSA-44" => (4.0, 4.0, 39.0 * 2.0, (1 << 17) as f64, (Q - 1.0) / 88.0),
        "ML-DSA-65" => (6.0, 5.0, 49.0 * 4.0, (1 << 19) as f64, (Q - 1.0) / 32.0),
        "ML-DSA-87" => (8.0, 7.0, 60.0 * 2.0, (1 << 19) as f64, (Q - 1.0) / 32.0),
        _ => return None,
    };
    Some(f64::exp(256.0 * beta * (l / gamma1 + k / gamma2)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expected_attempts_are_the_repetitions_of_fips_204_table_1() {
        for (algorithm, repetitions) in [("ML-DSA-44", 4.25), ("ML-DSA-65", 5.1), ("ML-DSA-87", 3.85)] {
            let expected = expected_attempts(algorithm).unwrap_or_default();
            assert!((expected - repetitions).abs() < 0.01, "{algorithm}: {expected}");
        }
    }
}
