//! A source of randomness, for the library.

use core::ffi::{c_int, c_void};

use girih_sys::girih_random;
use rand_core::TryCryptoRng;

/// Draws from `*rng`, which has to outlive the result.
pub(crate) fn source<R: TryCryptoRng + ?Sized>(rng: &mut &mut R) -> girih_random {
    girih_random { fill: Some(fill::<R>), state: (rng as *mut &mut R).cast(), piecewise: 0 }
}

unsafe extern "C" fn fill<R: TryCryptoRng + ?Sized>(state: *mut c_void, out: *mut u8, bytes: usize) -> c_int {
    // SAFETY: `source` made `state` of this type; the library passes memory of this length.
    let (rng, out) = unsafe { (&mut *state.cast::<&mut R>(), core::slice::from_raw_parts_mut(out, bytes)) };
    c_int::from(rng.try_fill_bytes(out).is_err())
}
