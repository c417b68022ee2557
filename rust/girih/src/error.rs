//! Errors, which name the algorithm and what was wrong.

use core::ffi::{CStr, c_int};
use core::fmt;

use girih_sys as sys;

use crate::Algorithm;

macro_rules! kinds {
    ($($kind:ident $code:ident $text:literal;)*) => {
        /// The kinds of errors: those of `girih.h`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ErrorKind {
            $(#[doc = $text] $kind,)*
            /// An error that this version does not know.
            Other(c_int),
        }

        impl ErrorKind {
            fn of(code: c_int) -> Self {
                match code {
                    $(sys::$code => Self::$kind,)*
                    other => Self::Other(other),
                }
            }

            fn code(self) -> c_int {
                match self {
                    $(Self::$kind => sys::$code,)*
                    Self::Other(code) => code,
                }
            }
        }
    };
}

kinds! {
    Argument GIRIH_ERROR_ARGUMENT "A null pointer.";
    Length GIRIH_ERROR_LENGTH "A seed, ciphertext or signature of another length than the algorithm's.";
    Context GIRIH_ERROR_CONTEXT "A context over 255 bytes, or any where the algorithm has none.";
    PreHash GIRIH_ERROR_PRE_HASH "An unknown pre-hash, or any where the algorithm has none.";
    SecretKey GIRIH_ERROR_SECRET_KEY "A malformed secret key.";
    KeyMismatch GIRIH_ERROR_KEY_MISMATCH "Parts of a key that contradict each other.";
    Signature GIRIH_ERROR_SIGNATURE "A signature that does not verify.";
    Random GIRIH_ERROR_RANDOM "The source of randomness failed.";
    Attempts GIRIH_ERROR_ATTEMPTS "Signing gave up, with a chance below 2^-128.";
    Engine GIRIH_ERROR_ENGINE "The environment variable GIRIH_ISA names no engine that runs here.";
    PublicKey GIRIH_ERROR_PUBLIC_KEY "A malformed public key.";
    Overlap GIRIH_ERROR_OVERLAP "Outputs that share memory.";
    Fault GIRIH_ERROR_FAULT "A result failed its own check: the processor or the memory erred.";
    Memory GIRIH_ERROR_MEMORY "Out of memory.";
    Algorithm GIRIH_ERROR_ALGORITHM "A function that the algorithm does not have.";
    Option GIRIH_ERROR_OPTION "An option that the algorithm does not have.";
    Alignment GIRIH_ERROR_ALIGNMENT "Memory for a prepared key that is not aligned.";
    Message GIRIH_ERROR_MESSAGE "A message in pieces that was not begun for the function.";
    PublicKeyLength GIRIH_ERROR_PUBLIC_KEY_LENGTH "A public key of another length than the algorithm's.";
    SecretKeyLength GIRIH_ERROR_SECRET_KEY_LENGTH "A secret key of another length than the algorithm's.";
    Capacity GIRIH_ERROR_CAPACITY "A buffer that is too small.";
}

/// Why an operation failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    algorithm: &'static str,
    length: Option<Length>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Length {
    of: &'static str,
    found: usize,
    expected: usize,
}

impl Error {
    /// The kind of error.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    pub(crate) fn new<A: Algorithm>(kind: ErrorKind) -> Self {
        Self { kind, algorithm: A::NAME, length: None }
    }

    pub(crate) fn length<A: Algorithm>(of: &'static str, found: usize, expected: usize) -> Self {
        let kind = match of {
            "public key" => ErrorKind::PublicKeyLength,
            "secret key" => ErrorKind::SecretKeyLength,
            _ => ErrorKind::Length,
        };
        Self { kind, algorithm: A::NAME, length: Some(Length { of, found, expected }) }
    }
}

/// Makes an error of the code that a function of the library returned, unless it is good.
pub(crate) fn check<A: Algorithm>(code: c_int) -> Result<(), Error> {
    if code == sys::GIRIH_OK { Ok(()) } else { Err(Error::new::<A>(ErrorKind::of(code))) }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Length { of, found, expected }) = self.length {
            return write!(f, "the {} {of} has {found} bytes, but should have {expected}", self.algorithm);
        }
        // SAFETY: a string that lives as long as the program, for every code.
        let text = unsafe { CStr::from_ptr(sys::girih_error_text(self.kind.code())) };
        write!(f, "{}: {}", self.algorithm, text.to_str().unwrap_or("unknown error"))
    }
}

impl core::error::Error for Error {}
