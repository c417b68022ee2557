//! Plain and prepared keys run operations in one way, one by one and in batches.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::ptr;

use girih_sys as sys;

use crate::algorithms::sealed::Sealed;
use crate::{
    Algorithm, Decapsulating, Encapsulating, KemAlgorithm, PublicKey, SecretKey, SignatureAlgorithm, Signing, Verifying,
};
#[cfg(feature = "alloc")]
use crate::{Error, error::check, prepared::*};

/// An algorithm, and a key of it: prepared, or its bytes, and then the pointer is null.
pub type Handle<'a, K> = (*const sys::girih_alg, *const K, &'a [u8]);

impl<A: Algorithm> Sealed for SecretKey<A> {}
impl<A: Algorithm> Sealed for PublicKey<A> {}
#[cfg(feature = "alloc")]
impl<A: Algorithm, K: Kind> Sealed for Prepared<A, K> {}

macro_rules! keys {
    ($($operation:ident $algorithm:ident $kind:ident $raw:ident $plain:ident $prepared:ident;)*) => {$(
        impl<A: $algorithm> $operation for $plain<A> {
            type Algorithm = A;
            fn handle(&self) -> Handle<'_, sys::$kind> {
                (A::$raw(), ptr::null(), self.bytes.as_ref())
            }
        }

        #[cfg(feature = "alloc")]
        impl<A: $algorithm> $operation for $prepared<A> {
            type Algorithm = A;
            fn handle(&self) -> Handle<'_, sys::$kind> {
                (A::raw(), self.key, &[])
            }
        }
    )*};
}

keys! {
    Signing SignatureAlgorithm girih_signing_key raw SecretKey PreparedSigningKey;
    Verifying SignatureAlgorithm girih_verifying_key raw_verifying PublicKey PreparedVerifyingKey;
    Encapsulating KemAlgorithm girih_encapsulation_key raw PublicKey PreparedEncapsulationKey;
    Decapsulating KemAlgorithm girih_decapsulation_key raw SecretKey PreparedDecapsulationKey;
}

/// The first expression for a prepared key, else the second. Without a heap there are none, and the
/// library for devices lacks their functions.
#[cfg(feature = "alloc")]
macro_rules! if_prepared {
    ($key:ident, $prepared:expr, $plain:expr) => {
        if $key.is_null() { $plain } else { $prepared }
    };
}
#[cfg(not(feature = "alloc"))]
macro_rules! if_prepared {
    ($key:ident, $prepared:expr, $plain:expr) => {{
        debug_assert!($key.is_null());
        $plain
    }};
}

/// Calls a function with a plain key, or the other with a prepared one. An argument before the
/// semicolon stands before the plain key.
macro_rules! operate {
    (@ $key:ident $plain:ident $prepared:ident ($($before:tt)*) ($($arguments:tt)*)) => {{
        let (alg, key, bytes) = $key.handle();
        $crate::handles::if_prepared!(
            key,
            sys::call!($prepared(key, $($before)* $($arguments)*)),
            sys::call!($plain(alg, $($before)* [bytes], $($arguments)*))
        )
    }};
    ($key:ident, $plain:ident $prepared:ident($before:ident; $($arguments:tt)*)) => {
        operate!(@ $key $plain $prepared ($before,) ($($arguments)*))
    };
    ($key:ident, $plain:ident $prepared:ident($($arguments:tt)*)) => {
        operate!(@ $key $plain $prepared () ($($arguments)*))
    };
}
pub(crate) use {if_prepared, operate};

/// A row of a batch: each slice is a pointer and a length.
#[cfg(feature = "alloc")]
macro_rules! row {
    (@ ($row:ident { $($done:tt)* })) => { sys::$row { $($done)* } };
    (@ ($row:ident { $($done:tt)* }) $pointer:ident $length:ident [mut $out:expr] $(, $($rest:tt)*)?) => {
        row!(@ ($row { $($done)* $pointer: $out.as_mut_ptr(), $length: $out.len(), }) $($($rest)*)?)
    };
    (@ ($row:ident { $($done:tt)* }) $pointer:ident $length:ident [$slice:expr] $(, $($rest:tt)*)?) => {
        row!(@ ($row { $($done)* $pointer: $slice.as_ptr(), $length: $slice.len(), }) $($($rest)*)?)
    };
    ($row:ident { $($field:ident: $value:expr),* } $($slices:tt)*) => {
        row!(@ ($row { $($field: $value,)* result: 0, }) $($slices)*)
    };
}
#[cfg(feature = "alloc")]
pub(crate) use row;

#[cfg(feature = "alloc")]
type RunRows<R> = unsafe extern "C" fn(*const sys::girih_alg, *mut R, usize) -> core::ffi::c_int;

/// A row of a batch, and the function that runs batches of it.
#[cfg(feature = "alloc")]
pub(crate) trait Row: Sized {
    const RUN: RunRows<Self>;
    fn result(&self) -> core::ffi::c_int;
}

#[cfg(feature = "alloc")]
macro_rules! batches {
    ($($row:ident $run:ident;)*) => {$(
        impl Row for sys::$row {
            const RUN: RunRows<Self> = sys::$run;
            fn result(&self) -> core::ffi::c_int {
                self.result
            }
        }
    )*};
}

#[cfg(feature = "alloc")]
batches! {
    girih_sign_row girih_sign_many;
    girih_verify_row girih_verify_many;
    girih_encapsulate_row girih_encapsulate_many;
    girih_decapsulate_row girih_decapsulate_many;
}

/// Runs the row of each item, which points to its output, and ends with what a good row made.
#[cfg(feature = "alloc")]
pub(crate) fn run_batch<A: Algorithm, I, T, R: Row>(
    items: &[I], zeroed: impl Fn() -> T, row: impl Fn(&I, &mut T) -> R, done: impl Fn(&R, T) -> T,
) -> Vec<Result<T, Error>> {
    let mut outputs: Vec<_> = items.iter().map(|_| zeroed()).collect();
    let mut rows: Vec<_> = items.iter().zip(&mut outputs).map(|(item, output)| row(item, output)).collect();
    // SAFETY: the rows' pointers are passed with their lengths. The result is that of a row.
    unsafe { R::RUN(A::raw(), rows.as_mut_ptr(), rows.len()) };
    rows.iter().zip(outputs).map(|(row, output)| check::<A>(row.result()).map(|()| done(row, output))).collect()
}
