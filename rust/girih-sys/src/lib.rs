//! The functions, structures and constants of `girih.h`, without the prepared keys on the heap.
//!
//! The comments in `girih.h` say how to call each one; its folder is the metadata `include` of this
//! package's build script. The crate `girih` is the safe interface.
#![no_std]
#![allow(missing_docs, non_camel_case_types)]

use core::ffi::{c_char, c_int, c_void};

include!("bindings.rs");

/// Calls a function of `girih.h`: `[slice]` and `[mut slice]` stand for a pointer and a length.
#[macro_export]
macro_rules! call {
    (@ $function:ident ($($done:expr,)*)) => { $crate::$function($($done),*) };
    (@ $function:ident ($($done:expr,)*) [mut $out:expr] $(, $($rest:tt)*)?) => {
        $crate::call!(@ $function ($($done,)* $out.as_mut_ptr(), $out.len(),) $($($rest)*)?)
    };
    (@ $function:ident ($($done:expr,)*) [$slice:expr] $(, $($rest:tt)*)?) => {
        $crate::call!(@ $function ($($done,)* $slice.as_ptr(), $slice.len(),) $($($rest)*)?)
    };
    (@ $function:ident ($($done:expr,)*) $value:expr $(, $($rest:tt)*)?) => {
        $crate::call!(@ $function ($($done,)* $value,) $($($rest)*)?)
    };
    ($function:ident($($arguments:tt)*)) => { $crate::call!(@ $function () $($arguments)*) };
}
