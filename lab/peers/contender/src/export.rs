//! The border of a shared library: the functions of `contender.h` over a list of [`Contender`]s.

use crate::{Code, Contender, Job};
use std::ffi::{CStr, CString, c_char, c_int};
use std::sync::OnceLock;

/// `contender_bytes` of `contender.h`.
#[repr(C)]
pub struct Bytes {
    pub data: *const u8,
    pub bytes: usize,
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Self {
        Self { data: bytes.as_ptr(), bytes: bytes.len() }
    }
}

/// For an output of a function in C, which writes through the pointer.
impl From<&mut [u8]> for Bytes {
    fn from(bytes: &mut [u8]) -> Self {
        Self { data: bytes.as_mut_ptr(), bytes: bytes.len() }
    }
}

/// The text of `contender_list`.
pub fn list(contenders: &[Contender], text: &'static OnceLock<CString>) -> *const c_char {
    text.get_or_init(|| {
        let lines = contenders.iter().map(|contender| {
            let code = match contender.code {
                Code::Portable => "portable",
                Code::Assembly => "assembly",
                Code::Vector => "vector",
            };
            format!("{}\t{}\t{code}\t{}\n", contender.name, contender.package, contender.note)
        });
        CString::new(lines.collect::<String>()).unwrap_or_default()
    })
    .as_ptr()
}

/// `contender_job`.
///
/// # Safety
/// The pointers are as `contender.h` says.
pub unsafe fn job(
    contenders: &[Contender], contender: usize, algorithm: *const c_char, operation: *const c_char,
    inputs: *const Bytes, count: usize,
) -> usize {
    let text = |pointer| unsafe { CStr::from_ptr(pointer) }.to_str().unwrap_or_default();
    let inputs = unsafe { std::slice::from_raw_parts(inputs, count) };
    let inputs =
        inputs.iter().map(|input| unsafe { std::slice::from_raw_parts(input.data, input.bytes) }).collect::<Vec<_>>();
    contenders
        .get(contender)
        .and_then(|contender| (contender.job)(text(algorithm), text(operation), &inputs))
        .map_or(0, |job| Box::into_raw(Box::new(job)) as usize)
}

/// `contender_run`.
///
/// # Safety
/// The job was made by [`job`] and not dropped.
pub unsafe fn run(job: usize, first: usize, end: usize) -> c_int {
    let job = unsafe { &mut *(job as *mut Box<dyn Job>) };
    if job.run(first..end) { 0 } else { -1 }
}

/// `contender_output`.
///
/// # Safety
/// The job was made by [`job`] and not dropped; `out` has `capacity` bytes.
pub unsafe fn output(job: usize, index: usize, out: *mut u8, capacity: usize) -> usize {
    let job = unsafe { &*(job as *mut Box<dyn Job>) };
    let outputs = job.outputs();
    let Some(bytes) = outputs.get(index) else { return usize::MAX };
    if bytes.len() <= capacity {
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), out, bytes.len()) };
    }
    bytes.len()
}

/// `contender_drop`.
///
/// # Safety
/// The job was made by [`job`] and not dropped.
pub unsafe fn drop(job: usize) {
    std::mem::drop(unsafe { Box::from_raw(job as *mut Box<dyn Job>) });
}

/// Exports a list of contenders from a shared library:
/// `contender::contenders![Contender {...}, ...];`
#[macro_export]
macro_rules! contenders {
    ($($contender:expr),+ $(,)?) => {
        static CONTENDERS: &[$crate::Contender] = &[$($contender),+];

        #[unsafe(no_mangle)]
        pub extern "C" fn contender_list() -> *const std::ffi::c_char {
            static TEXT: std::sync::OnceLock<std::ffi::CString> = std::sync::OnceLock::new();
            $crate::export::list(CONTENDERS, &TEXT)
        }

        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn contender_job(
            contender: usize,
            algorithm: *const std::ffi::c_char,
            operation: *const std::ffi::c_char,
            inputs: *const $crate::export::Bytes,
            count: usize,
        ) -> usize {
            unsafe { $crate::export::job(CONTENDERS, contender, algorithm, operation, inputs, count) }
        }

        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn contender_run(job: usize, first: usize, end: usize) -> std::ffi::c_int {
            unsafe { $crate::export::run(job, first, end) }
        }

        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn contender_output(
            job: usize,
            index: usize,
            out: *mut u8,
            capacity: usize,
        ) -> usize {
            unsafe { $crate::export::output(job, index, out, capacity) }
        }

        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn contender_drop(job: usize) {
            unsafe { $crate::export::drop(job) }
        }

        #[unsafe(no_mangle)]
        pub extern "C" fn contender_rest() {}
    };
}
