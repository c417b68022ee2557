//! Randomness, and programs to compare with.
#![allow(dead_code)]

use std::process::Command;

use girih::{Algorithm, ByteArray};

/// Randomness that is the same for every request, as in tests/amalgamate/program.cpp.
pub struct Pattern;

impl rand_core::TryRng for Pattern {
    type Error = std::convert::Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        unreachable!("only bytes are drawn")
    }
    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        unreachable!("only bytes are drawn")
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        out.iter_mut().enumerate().for_each(|(i, byte)| *byte = (7 * i + 1) as u8);
        Ok(())
    }
}

impl rand_core::TryCryptoRng for Pattern {}

/// A source of randomness that fails.
#[derive(Debug)]
pub struct Broken;

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("broken")
    }
}

impl std::error::Error for Broken {}

impl rand_core::TryRng for Broken {
    type Error = Broken;
    fn try_next_u32(&mut self) -> Result<u32, Broken> {
        Err(Broken)
    }
    fn try_next_u64(&mut self) -> Result<u64, Broken> {
        Err(Broken)
    }
    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Broken> {
        Err(Broken)
    }
}

impl rand_core::TryCryptoRng for Broken {}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub fn sizes<A: Algorithm>() -> [usize; 3] {
    [A::Seed::BYTES, A::PublicKey::BYTES, A::SecretKey::BYTES]
}

/// The standard output of a program that succeeds.
pub fn output_of(program: &str, arguments: &[&str]) -> String {
    let done = Command::new(program).args(arguments).output().unwrap_or_else(|error| panic!("{program}: {error}"));
    assert!(done.status.success(), "{program} {arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).expect("text")
}
