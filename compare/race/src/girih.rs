//! girih's shared library, through its C interface (`girih/girih.h`).
//!
//! A copy of the library runs one engine for as long as it is loaded: the environment variable GIRIH_ISA is
//! read at its first use. So each engine gets its own copy of the file, under its own name.

use crate::racer::{Kind, Racer};
use contender::{MaybeJob, Sizes};
use libloading::Library;
use std::ffi::{CStr, CString, c_char, c_int};
use std::path::Path;
use std::ptr::null;

/// `girih_alg`.
#[repr(C)]
pub struct Algorithm {
    _private: [u8; 0],
}

/// `girih_options`.
#[repr(C)]
struct Options {
    context: *const u8,
    context_bytes: usize,
    pre_hash: *const c_char,
    deterministic: c_int,
    random: *const u8,
}

const DETERMINISTIC: Options =
    Options { context: null(), context_bytes: 0, pre_hash: null(), deterministic: 1, random: null() };

type SizeOf = unsafe extern "C" fn(*const Algorithm) -> usize;
type Keygen =
    unsafe extern "C" fn(*const Algorithm, *const u8, usize, *mut u8, usize, *mut u8, usize) -> c_int;
type Sign = unsafe extern "C" fn(
    *const Algorithm,
    *const u8,
    usize,
    *const u8,
    usize,
    *const Options,
    *mut u8,
    usize,
    *mut usize,
) -> c_int;
type Verify = unsafe extern "C" fn(
    *const Algorithm,
    *const u8,
    usize,
    *const u8,
    usize,
    *const Options,
    *const u8,
    usize,
) -> c_int;

/// The functions of one loaded copy.
#[derive(Clone, Copy)]
struct Functions {
    algorithm: unsafe extern "C" fn(*const c_char) -> *const Algorithm,
    public_key_bytes: SizeOf,
    secret_key_bytes: SizeOf,
    signature_bytes: SizeOf,
    keygen: Keygen,
    sign: Sign,
    verify: Verify,
}

impl Functions {
    fn of(library: &'static Library) -> Result<Self, libloading::Error> {
        unsafe {
            Ok(Self {
                algorithm: *library.get(b"girih_algorithm")?,
                public_key_bytes: *library.get(b"girih_public_key_bytes")?,
                secret_key_bytes: *library.get(b"girih_secret_key_bytes")?,
                signature_bytes: *library.get(b"girih_signature_bytes")?,
                keygen: *library.get(b"girih_keygen_from_seed")?,
                sign: *library.get(b"girih_sign")?,
                verify: *library.get(b"girih_verify")?,
            })
        }
    }

    fn job(self, algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
        let name = CString::new(algorithm).ok()?;
        let alg = unsafe { (self.algorithm)(name.as_ptr()) };
        if alg.is_null() {
            return None;
        }
        let sizes = unsafe {
            Sizes {
                public: (self.public_key_bytes)(alg),
                secret: (self.secret_key_bytes)(alg),
                signature: (self.signature_bytes)(alg),
            }
        };
        contender::keys_as_bytes(
            sizes,
            operation,
            inputs,
            move |seed, pk, sk| unsafe {
                let (s, p, k) = (seed.as_ptr(), pk.as_mut_ptr(), sk.as_mut_ptr());
                (self.keygen)(alg, s, seed.len(), p, pk.len(), k, sk.len()) == 0
            },
            move |sk, m, out| unsafe {
                let (k, options, s, mut bytes) = (sk.as_ptr(), &DETERMINISTIC, out.as_mut_ptr(), 0);
                (self.sign)(alg, k, sk.len(), m.as_ptr(), m.len(), options, s, out.len(), &mut bytes) == 0
            },
            move |pk, m, s| unsafe {
                let (k, message, options) = (pk.as_ptr(), m.as_ptr(), null());
                (self.verify)(alg, k, pk.len(), message, m.len(), options, s.as_ptr(), s.len()) == 0
            },
        )
    }
}

/// Loads a copy of the library that runs this engine, or says why it cannot.
pub fn load(compiler: &str, path: &Path, engine: &str, copies: &Path) -> Result<Racer, String> {
    let because = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let copy = copies.join(format!("libgirih-{}-{engine}.so", compiler.replace('/', "-")));
    std::fs::create_dir_all(copies).map_err(|error| because(&error))?;
    std::fs::copy(path, &copy).map_err(|error| because(&error))?;

    // No other thread runs yet: girih's copies are loaded before any peer.
    unsafe { std::env::set_var("GIRIH_ISA", engine) };
    let library = unsafe { Library::new(&copy) }.map_err(|error| because(&error))?;
    let library: &'static Library = Box::leak(Box::new(library));
    let functions = Functions::of(library).map_err(|error| because(&error))?;
    type Text = unsafe extern "C" fn() -> *const c_char;
    let text = |name: &[u8]| -> Result<String, String> {
        let function = unsafe { library.get::<Text>(name) }.map_err(|error| because(&error))?;
        let text = unsafe { function() };
        Ok(if text.is_null() {
            String::new()
        } else {
            unsafe { CStr::from_ptr(text) }.to_string_lossy().into()
        })
    };
    match text(b"girih_engine")?.as_str() {
        "" => Err(format!("does not run here: {}", text(b"girih_engine_reason")?)),
        running if running != engine => {
            Err(format!("this copy runs {running}: the copies of the library share state (a unique symbol?)"))
        }
        _ => Ok(Racer {
            name: format!("girih[{engine}] {compiler}"),
            kind: Kind::Girih { engine: engine.into(), compiler: compiler.into() },
            make_job: Box::new(move |algorithm, operation, inputs| {
                functions.job(algorithm, operation, inputs)
            }),
            rest: Box::new(|| ()),
        }),
    }
}
