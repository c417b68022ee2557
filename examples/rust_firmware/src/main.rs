//! Verifies `message.sig` of `message` by the key in `key.pub`, and says how much stack that took.
//! The files are included in the program.
#![no_std]
#![no_main]

use cortex_m as _;
use cortex_m_rt::{STACK_PAINT_VALUE, entry};
use cortex_m_semihosting::{debug, hprintln};
use girih::{Error, Options, Verifying, ml_dsa_44};
use panic_halt as _;

#[entry]
fn main() -> ! {
    let verified = verify();
    hprintln!("{} bytes of stack", stack());
    debug::exit(if verified.is_ok() { debug::EXIT_SUCCESS } else { debug::EXIT_FAILURE });
    unreachable!("the emulator has ended")
}

#[inline(never)]
fn verify() -> Result<(), Error> {
    let key = ml_dsa_44::VerifyingKey::from_bytes(include_bytes!("../key.pub"))?;
    let signature = ml_dsa_44::Signature::from_bytes(include_bytes!("../message.sig"))?;
    key.verify_with(include_bytes!("../message"), &signature, &Options::default())
}

/// The bytes below the top of the stack that anything was written to since the start.
fn stack() -> usize {
    unsafe extern "C" {
        static _stack_end: u32;
        static _stack_start: u32;
    }
    let (end, start) = (&raw const _stack_end, &raw const _stack_start);
    let mut lowest = end;
    // SAFETY: the linker script gives this memory to the stack alone; cortex-m-rt has painted it.
    while unsafe { lowest.read_volatile() } == STACK_PAINT_VALUE {
        lowest = lowest.wrapping_add(1);
    }
    start as usize - lowest as usize
}
