//! The functions, structures and constants of `girih.h`, without the prepared keys on the heap.
//!
//! The comments in `girih.h` say how to call each one; its folder is the metadata `include` of this
//! package's build script. The crate `girih` is the safe interface.
#![no_std]
#![allow(missing_docs, non_camel_case_types)]

use core::ffi::{c_char, c_int, c_void};

include!("bindings.rs");
