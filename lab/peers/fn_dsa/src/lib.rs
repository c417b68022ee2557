//! `fn-dsa`, in the mode that signs as Falcon was submitted. It uses AVX2 where there is that.
//!
//! A decoded signing key keeps the basis' transforms, not the tree; a decoded verifying key
//! the transform of h.

use contender::randomness::{self, SplitMix};
use contender::{
    Code, Contender, FALCON_PADDED_512, FALCON_PADDED_1024, MaybeJob, Sizes, contenders, keygen, sign, verify,
};
use fn_dsa::*;
use std::cell::RefCell;

/// The numbers that everybody gets, or those of a seed.
struct Numbers(Option<SplitMix>);

impl CryptoRng for Numbers {}
impl RngCore for Numbers {
    fn next_u32(&mut self) -> u32 {
        self.next_u64() as u32
    }
    fn next_u64(&mut self) -> u64 {
        let mut bytes = [0; 8];
        self.fill_bytes(&mut bytes);
        u64::from_le_bytes(bytes)
    }
    fn fill_bytes(&mut self, out: &mut [u8]) {
        match &mut self.0 {
            Some(stream) => stream.fill(out),
            None => randomness::fill(out),
        }
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), RngError> {
        self.fill_bytes(out);
        Ok(())
    }
}

fn sign_message(key: &mut impl SigningKey, message: &[u8], signature: &mut [u8]) -> bool {
    key.sign(&mut Numbers(None), &DOMAIN_NONE, &HASH_ID_ORIGINAL_FALCON, message, signature);
    true
}

fn is_signature(key: &impl VerifyingKey, message: &[u8], signature: &[u8]) -> bool {
    key.verify(signature, &DOMAIN_NONE, &HASH_ID_ORIGINAL_FALCON, message)
}

fn of_degree<K: KeyPairGenerator, S: SigningKey + 'static, V: VerifyingKey + 'static>(
    logn: u32,
    sizes: Sizes,
    operation: &str,
    inputs: &[&[u8]],
) -> MaybeJob {
    match operation {
        "keygen" => keygen(inputs, sizes.public, sizes.secret, move |seed, public, secret| {
            K::default().keygen(logn, &mut Numbers(Some(SplitMix::of(seed))), secret, public);
            true
        }),
        "sign" => sign(
            inputs,
            sizes.signature,
            |secret, _| Some(secret.to_vec()),
            |secret, message, out| {
                S::decode(secret).is_some_and(|mut key| sign_message(&mut key, message, out))
            },
        ),
        "sign prepared" => sign(
            inputs,
            sizes.signature,
            |secret, _| S::decode(secret).map(RefCell::new),
            |key, message, out| sign_message(&mut *key.borrow_mut(), message, out),
        ),
        "verify" => verify(
            inputs,
            |public| Some(public.to_vec()),
            |public, message, signature| {
                V::decode(public).is_some_and(|key| is_signature(&key, message, signature))
            },
        ),
        "verify prepared" => verify(inputs, V::decode, is_signature),
        _ => None,
    }
}

fn job(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    match algorithm {
        "Falcon-padded-512" => of_degree::<KeyPairGenerator512, SigningKey512, VerifyingKey512>(
            FN_DSA_LOGN_512,
            FALCON_PADDED_512,
            operation,
            inputs,
        ),
        "Falcon-padded-1024" => of_degree::<KeyPairGenerator1024, SigningKey1024, VerifyingKey1024>(
            FN_DSA_LOGN_1024,
            FALCON_PADDED_1024,
            operation,
            inputs,
        ),
        _ => None,
    }
}

contenders![Contender {
    name: "fn-dsa",
    package: "fn-dsa",
    code: Code::Vector,
    note: "hashes as Falcon was submitted; its draws of randomness are answered by cheap numbers",
    job,
}];
