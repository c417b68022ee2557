//! Before the race: does everybody compute the same thing?

use crate::operations::{Family, Inputs, Material, Operation};
use crate::racer::Racer;
use fastrand::Rng;
use std::collections::HashMap;

/// How many operations of each kind are compared.
const COUNT: usize = 4;

/// Why racers are left out of an algorithm's race, by name.
pub type Excluded = HashMap<String, String>;

/// Compares every operation of every racer with what most racers make of the same inputs, shows
/// every signature and ciphertext to every girih and girih's to everybody, spoils an input that
/// must then fail, and changes one that must then give something else.
pub fn cross_check(material: &Material, family: &Family, racers: &[Racer], rng: &mut Rng) -> Excluded {
    let mut excluded = Excluded::new();
    for operation in family.operations() {
        let Some(inputs) = (operation.inputs)(material, rng, COUNT) else { continue };
        let before = compare(material, operation, racers, &inputs, &mut excluded);
        if let Some(change) = operation.change {
            let mut changed = inputs.clone();
            change(&mut changed);
            let after = compare(material, operation, racers, &changed, &mut excluded);
            for (name, outputs) in before {
                if after.get(name) == Some(&outputs) {
                    let reason = format!("{}: it gives the same for another input", operation.name);
                    excluded.entry(name.into()).or_insert(reason);
                }
            }
        }
    }
    excluded
}

/// Compares what racers make of the same inputs, if it is the same: what each does, by name. Who is
/// wrong is excluded.
fn compare<'a>(
    material: &Material,
    operation: &Operation,
    racers: &'a [Racer],
    inputs: &Inputs,
    excluded: &mut Excluded,
) -> HashMap<&'a str, Vec<Vec<u8>>> {
    let outputs = racers
        .iter()
        .filter_map(|racer| Some((racer, outputs_or_reason(material, operation, racer, inputs)?)))
        .collect::<Vec<_>>();
    let computed = outputs.iter().filter_map(|(_, outputs)| outputs.as_ref().ok()).collect::<Vec<_>>();
    let majority = majority(&computed);
    for (racer, outputs) in &outputs {
        let verdict = match (outputs, majority) {
            (Err(reason), _) => Err(reason.clone()),
            (Ok(outputs), Some(majority)) if operation.same && !agree(outputs, majority) => {
                Err("its output is not that of the others".into())
            }
            (Ok(outputs), _) => proven_by_girih(material, operation, racers, inputs, outputs),
        };
        if let Err(reason) = verdict {
            let reason = format!("{}: {reason}", operation.name);
            excluded.entry(racer.name.clone()).or_insert(reason);
        }
    }
    outputs.into_iter().filter_map(|(racer, outputs)| Some((racer.name.as_str(), outputs.ok()?))).collect()
}

/// The first racer whose keys, and signatures if the family has them, are those of most: it makes
/// what the others are shown.
pub fn trusted<'a>(algorithm: &str, racers: &'a [Racer]) -> Option<&'a Racer> {
    let seed = vec![0; 32];
    let made = racers.iter().map(|racer| {
        let keys = racer.outputs(algorithm, "keygen", std::slice::from_ref(&seed))?;
        let signing = [keys.get(1)?.clone(), seed.clone(), b"message".to_vec()];
        Some([keys, racer.outputs(algorithm, "sign", &signing).unwrap_or_default()].concat())
    });
    let made = made.collect::<Vec<_>>();
    let majority = majority(&made.iter().flatten().collect::<Vec<_>>())?;
    racers.iter().zip(&made).find(|(_, made)| made.as_ref() == Some(majority)).map(|(racer, _)| racer)
}

/// What a racer makes of the inputs, or why it is wrong; `None` if it does not offer the operation.
fn outputs_or_reason(
    material: &Material,
    operation: &Operation,
    racer: &Racer,
    inputs: &Inputs,
) -> Option<Result<Vec<Vec<u8>>, String>> {
    let mut job = racer.job(material.algorithm, operation.name, inputs)?;
    if !job.run(contender::ALL) {
        return Some(Err("it fails on inputs that others made".into()));
    }
    if let Some(spoil) = operation.spoil {
        let mut spoiled = inputs.clone();
        spoil(&mut spoiled);
        if racer.outputs(material.algorithm, operation.name, &spoiled).is_some() {
            return Some(Err("it accepts what it must reject".into()));
        }
    }
    Some(Ok(job.outputs().into_owned()))
}

/// What most racers make, the first of equals. Empty outputs are those that a racer does not give.
fn majority<'a>(all: &[&'a Vec<Vec<u8>>]) -> Option<&'a Vec<Vec<u8>>> {
    let votes = |candidate: &[Vec<u8>]| all.iter().filter(|outputs| agree(outputs, candidate)).count();
    let complete = all.iter().filter(|outputs| outputs.iter().all(|output| !output.is_empty()));
    complete.rev().max_by_key(|candidate| votes(candidate)).copied()
}

/// Whether two racers made the same, as far as both give it.
fn agree(left: &[Vec<u8>], right: &[Vec<u8>]) -> bool {
    left.len() == right.len()
        && left.iter().zip(right).all(|(left, right)| left.is_empty() || right.is_empty() || left == right)
}

/// Shows the outputs to every girih, where they are something that can be verified or decapsulated.
fn proven_by_girih(
    material: &Material,
    operation: &Operation,
    racers: &[Racer],
    inputs: &Inputs,
    outputs: &[Vec<u8>],
) -> Result<(), String> {
    let Some(shown) = operation.shown else { return Ok(()) };
    let proof = shown(material, inputs, outputs).ok_or("its outputs cannot be shown to girih")?;
    let refuses = |girih: &&Racer| {
        girih.outputs(material.algorithm, proof.operation, &proof.inputs).as_ref() != Some(&proof.outputs)
    };
    match racers.iter().filter(|racer| racer.is_girih()).find(refuses) {
        Some(girih) => Err(format!("{} {}", girih.name, proof.failure)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operations::FAMILIES;
    use crate::racer::Kind;
    use contender::kem::{self, Drawn, Kem};
    use contender::{MaybeJob, Sizes};

    const SIZES: Sizes = Sizes { public: 32, secret: 32, signature: 32 };

    /// A toy scheme: both keys are the seed, a signature is the message's bytes added to the key's.
    fn toy_signature(key: &[u8], message: &[u8]) -> Vec<u8> {
        key.iter().zip(message.iter().cycle()).map(|(key, byte)| key.wrapping_add(*byte)).collect()
    }

    fn toy(operation: &str, inputs: &[&[u8]], slip: u8, accept_all: bool) -> MaybeJob {
        contender::keys_as_bytes(
            SIZES,
            operation,
            inputs,
            |seed, public, secret| {
                public.copy_from_slice(seed);
                secret.copy_from_slice(seed);
                true
            },
            move |secret, message, out| {
                out.copy_from_slice(&toy_signature(secret, message));
                out[0] ^= slip;
                true
            },
            move |public, message, signature| accept_all || toy_signature(public, message) == signature,
        )
    }

    /// A toy mechanism: both keys are the seed, which is the shared secret, and a ciphertext the
    /// sum of both seeds.
    #[derive(Clone)]
    struct ToyKem {
        slip: u8,
        is_deaf: bool,
    }

    impl Kem for ToyKem {
        fn sizes(&self) -> kem::Sizes {
            kem::Sizes { public: 32, secret: 32, ciphertext: 32 }
        }
        fn randomness(&self, seed: &[u8; 32], _: Drawn) -> Vec<u8> {
            seed.to_vec()
        }
        fn keygen(&self, seed: &[u8], public: &mut [u8], secret: &mut [u8]) -> bool {
            public.copy_from_slice(seed);
            secret.copy_from_slice(seed);
            true
        }
        fn encapsulate(&self, seed: &[u8], public: &[u8], ciphertext: &mut [u8], shared: &mut [u8]) -> bool {
            ciphertext.copy_from_slice(&toy_signature(public, seed));
            shared.copy_from_slice(seed);
            true
        }
        fn decapsulate(&self, secret: &[u8], ciphertext: &[u8], shared: &mut [u8]) -> bool {
            let difference = ciphertext.iter().zip(secret).map(|(sum, key)| sum.wrapping_sub(*key));
            shared.copy_from_slice(&difference.collect::<Vec<_>>());
            shared[0] = if self.is_deaf { 0 } else { shared[0] ^ self.slip };
            true
        }
    }

    fn kem_racer(name: &str, slip: u8, is_deaf: bool) -> Racer {
        let toy = ToyKem { slip, is_deaf };
        let make_job =
            move |_: &str, operation: &str, inputs: &[&[u8]]| kem::job(toy.clone(), operation, inputs);
        Racer { make_job: Box::new(make_job), ..racer(name, 0, false) }
    }

    fn racer(name: &str, slip: u8, accept_all: bool) -> Racer {
        Racer {
            name: name.into(),
            kind: Kind::Girih { engine: name.into(), compiler: String::new() },
            make_job: Box::new(move |_, operation, inputs| toy(operation, inputs, slip, accept_all)),
            rest: Box::new(|| ()),
        }
    }

    fn excluded(racers: &[Racer]) -> Excluded {
        excluded_from("signatures", racers)
    }

    fn excluded_from(family: &str, racers: &[Racer]) -> Excluded {
        let family = FAMILIES.iter().find(|item| item.name == family).expect("a family");
        let maker = trusted("toy", racers).expect("somebody is trusted");
        let messages = (0..8).map(|byte| vec![byte; 32]).collect();
        let material = Material { algorithm: "toy", maker, seed: [0; 32], messages };
        cross_check(&material, family, racers, &mut Rng::with_seed(1))
    }

    #[test]
    fn nobody_is_excluded_where_all_agree() {
        assert_eq!(excluded(&[racer("a", 0, false), racer("b", 0, false)]), Excluded::new());
    }

    #[test]
    fn a_racer_with_other_signatures_is_excluded_even_if_it_comes_first() {
        let racers = [racer("liar", 1, false), racer("b", 0, false), racer("c", 0, false)];
        assert_eq!(trusted("toy", &racers).map(|racer| racer.name.as_str()), Some("b"));
        assert_eq!(excluded(&racers).keys().collect::<Vec<_>>(), ["liar"]);
    }

    #[test]
    fn a_racer_that_accepts_everything_is_excluded() {
        let racers = [racer("a", 0, false), racer("gullible", 0, true)];
        assert_eq!(excluded(&racers)["gullible"], "verify: it accepts what it must reject");
    }

    #[test]
    fn a_racer_whose_signatures_girih_rejects_is_told_so() {
        let racers = [racer("strict", 0, false), racer("b", 1, true), racer("c", 1, true)];
        assert_eq!(excluded(&racers)["b"], "sign: strict rejects its signature");
    }

    #[test]
    fn where_signing_is_randomized_signatures_are_verified_not_compared() {
        let racers = [racer("strict", 0, false), racer("wrong", 1, false)];
        assert_eq!(excluded_from("falcon", &racers)["wrong"], "sign: strict rejects its signature");
    }

    #[test]
    fn a_racer_that_decapsulates_another_secret_is_excluded() {
        let racers = [kem_racer("a", 0, false), kem_racer("liar", 1, false), kem_racer("c", 0, false)];
        assert!(excluded_from("kem", &racers).contains_key("liar"));
    }

    #[test]
    fn a_racer_whose_secrets_do_not_depend_on_the_ciphertext_is_excluded_even_if_most_are_such() {
        let racers = [kem_racer("a", 0, true), kem_racer("b", 0, true)];
        assert_eq!(excluded_from("kem", &racers).len(), 2);
    }

    #[test]
    fn no_mechanism_is_excluded_where_all_agree() {
        let racers = [kem_racer("a", 0, false), kem_racer("b", 0, false)];
        assert_eq!(excluded_from("kem", &racers), Excluded::new());
    }
}
