//! girih's shared library, through its C interface (`girih/girih.h`).
//!
//! A copy of the library runs one engine for as long as it is loaded: the environment
//! variable GIRIH_ISA is read at its first use. So each engine gets its own copy of the file,
//! under its own name.

use crate::girih_kem;
use crate::racer::{Kind, Racer};
use contender::kem::Drawn;
use contender::{Job, MaybeJob, Sizes};
use libloading::Library;
use std::alloc::Layout;
use std::borrow::Cow;
use std::ffi::{CStr, CString, c_char, c_int};
use std::ops::Range;
use std::path::Path;
use std::ptr::null;

/// `girih_alg`.
#[repr(C)]
pub struct Algorithm {
    _private: [u8; 0],
}

// Nothing in it changes.
unsafe impl Sync for Options {}

/// `girih_options`.
#[repr(C)]
struct Options {
    context: *const u8,
    context_bytes: usize,
    pre_hash: *const c_char,
    deterministic: c_int,
    random: *const Random,
    verify_after_sign: c_int,
    reserved: [usize; 2],
}

/// `girih_random`.
#[repr(C)]
struct Random {
    fill: unsafe extern "C" fn(*mut u8, *mut u8, usize) -> c_int,
    state: *mut u8,
    piecewise: c_int,
}

// Nothing in it changes.
unsafe impl Sync for Random {}

unsafe extern "C" fn fill(_: *mut u8, out: *mut u8, bytes: usize) -> c_int {
    contender::randomness::fill(unsafe { std::slice::from_raw_parts_mut(out, bytes) });
    0
}

static RANDOM: Random = Random { fill, state: std::ptr::null_mut(), piecewise: 0 };

static DETERMINISTIC: Options = Options {
    context: null(),
    context_bytes: 0,
    pre_hash: null(),
    deterministic: 1,
    random: null(),
    verify_after_sign: 0,
    reserved: [0; 2],
};

/// For Falcon, which has no deterministic signatures: the numbers that everybody gets.
static RANDOMIZED: Options = Options {
    context: null(),
    context_bytes: 0,
    pre_hash: null(),
    deterministic: 0,
    random: &RANDOM,
    verify_after_sign: 0,
    reserved: [0; 2],
};

pub type SizeOf = unsafe extern "C" fn(*const Algorithm) -> usize;
pub type Keygen =
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

/// `girih_signing_key` and `_verifying_key`, `girih_encapsulation_key` and `_decapsulation_key`.
#[repr(C)]
pub struct PreparedKey {
    _private: [u8; 0],
}

pub type Prepare = unsafe extern "C" fn(
    *const Algorithm,
    *const u8,
    usize,
    *mut u8,
    usize,
    *mut *const PreparedKey,
) -> c_int;
type SignPrepared = unsafe extern "C" fn(
    *const PreparedKey,
    *const u8,
    usize,
    *const Options,
    *mut u8,
    usize,
    *mut usize,
) -> c_int;
type VerifyPrepared =
    unsafe extern "C" fn(*const PreparedKey, *const u8, usize, *const Options, *const u8, usize) -> c_int;
pub type Many<Row> = unsafe extern "C" fn(*const Algorithm, *mut Row, usize) -> c_int;

/// `girih_keygen_row`.
#[repr(C)]
struct KeygenRow {
    seed: *const u8,
    seed_bytes: usize,
    random: *const u8,
    public_key: *mut u8,
    public_key_bytes: usize,
    secret_key: *mut u8,
    secret_key_bytes: usize,
    result: c_int,
}

/// `girih_sign_row`.
#[repr(C)]
struct SignRow {
    key: *const PreparedKey,
    secret_key: *const u8,
    secret_key_bytes: usize,
    message: *const u8,
    message_bytes: usize,
    options: *const Options,
    signature: *mut u8,
    signature_capacity: usize,
    signature_bytes: usize,
    result: c_int,
}

/// `girih_verify_row`.
#[repr(C)]
struct VerifyRow {
    key: *const PreparedKey,
    public_key: *const u8,
    public_key_bytes: usize,
    message: *const u8,
    message_bytes: usize,
    options: *const Options,
    signature: *const u8,
    signature_bytes: usize,
    result: c_int,
}

/// A prepared key in memory of its own.
pub struct Prepared {
    memory: *mut u8,
    layout: Layout,
    pub key: *const PreparedKey,
}

impl Prepared {
    /// None if the key is none, or the algorithm has no such keys.
    pub fn new(alg: *const Algorithm, bytes: &[u8], size: SizeOf, prepare: Prepare) -> Option<Self> {
        if unsafe { size(alg) } == 0 {
            return None;
        }
        let layout = Layout::from_size_align(unsafe { size(alg) }, 64).ok()?;
        let memory = unsafe { std::alloc::alloc(layout) };
        let mut made = Self { memory, layout, key: null() };
        let error =
            unsafe { prepare(alg, bytes.as_ptr(), bytes.len(), memory, layout.size(), &mut made.key) };
        (error == 0).then_some(made)
    }
}

impl Drop for Prepared {
    fn drop(&mut self) {
        unsafe { std::alloc::dealloc(self.memory, self.layout) };
    }
}

/// A batch that is one call for any stretch of its rows.
pub struct ManyJob<Row, Inputs = Vec<Vec<u8>>> {
    pub alg: *const Algorithm,
    pub many: Many<Row>,
    pub rows: Vec<Row>,
    pub outputs: Vec<Vec<u8>>,
    /// What the rows point to besides the outputs.
    pub _keys: Vec<Prepared>,
    pub _inputs: Inputs,
}

impl<Row, Inputs> Job for ManyJob<Row, Inputs> {
    fn run(&mut self, operations: Range<usize>) -> bool {
        let end = operations.end.min(self.rows.len());
        let rows = &mut self.rows[operations.start..end];
        unsafe { (self.many)(self.alg, rows.as_mut_ptr(), rows.len()) == 0 }
    }

    fn outputs(&self) -> Cow<'_, [Vec<u8>]> {
        Cow::Borrowed(&self.outputs)
    }
}

/// The functions of one loaded copy.
#[derive(Clone, Copy)]
struct Functions {
    algorithm: unsafe extern "C" fn(*const c_char) -> *const Algorithm,
    public_key_bytes: SizeOf,
    secret_key_bytes: SizeOf,
    signature_bytes: SizeOf,
    seed_bytes: SizeOf,
    has_mu: unsafe extern "C" fn(*const Algorithm) -> c_int,
    keygen: Keygen,
    sign: Sign,
    verify: Verify,
    signing_key_size: SizeOf,
    verifying_key_size: SizeOf,
    prepare_signing_key: Prepare,
    prepare_verifying_key: Prepare,
    sign_prepared: SignPrepared,
    verify_prepared: VerifyPrepared,
    keygen_many: Many<KeygenRow>,
    sign_many: Many<SignRow>,
    verify_many: Many<VerifyRow>,
    /// A library from before it had any has none.
    kem: Option<girih_kem::Functions>,
}

impl Functions {
    fn of(library: &'static Library) -> Result<Self, libloading::Error> {
        unsafe {
            Ok(Self {
                algorithm: *library.get(b"girih_algorithm")?,
                public_key_bytes: *library.get(b"girih_public_key_bytes")?,
                secret_key_bytes: *library.get(b"girih_secret_key_bytes")?,
                signature_bytes: *library.get(b"girih_signature_bytes")?,
                seed_bytes: *library.get(b"girih_seed_bytes")?,
                has_mu: *library.get(b"girih_has_mu")?,
                keygen: *library.get(b"girih_keygen_from_seed")?,
                sign: *library.get(b"girih_sign")?,
                verify: *library.get(b"girih_verify")?,
                signing_key_size: *library.get(b"girih_signing_key_size")?,
                verifying_key_size: *library.get(b"girih_verifying_key_size")?,
                prepare_signing_key: *library.get(b"girih_prepare_signing_key")?,
                prepare_verifying_key: *library.get(b"girih_prepare_verifying_key")?,
                sign_prepared: *library.get(b"girih_sign_prepared")?,
                verify_prepared: *library.get(b"girih_verify_prepared")?,
                keygen_many: *library.get(b"girih_keygen_many")?,
                sign_many: *library.get(b"girih_sign_many")?,
                verify_many: *library.get(b"girih_verify_many")?,
                kem: girih_kem::Functions::of(library).ok(),
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
        match operation {
            "sign prepared" => self.sign_prepared(alg, sizes, inputs),
            "verify prepared" => self.verify_prepared(alg, inputs),
            "keygen_many" => self.keygen_many(alg, sizes, inputs),
            "sign_many prepared" => self.sign_many(alg, sizes, inputs),
            "verify_many" => self.verify_many(alg, inputs, false),
            "verify_many prepared" => self.verify_many(alg, inputs, true),
            _ => match self.kem.filter(|kem| kem.is_kem(alg)) {
                Some(kem) => kem.job(alg, operation, inputs),
                None => self.plain(alg, sizes, operation, inputs),
            },
        }
    }

    /// The seed of a key pair, as long as the algorithm wants it, from a seed of the race.
    fn seed(self, alg: *const Algorithm, seed: &[u8; 32]) -> Vec<u8> {
        match self.kem.filter(|kem| kem.is_kem(alg)) {
            Some(kem) => kem.randomness(alg, seed, Drawn::KeyPair),
            None => seed.to_vec(),
        }
    }

    /// How everybody signs.
    fn options(self, alg: *const Algorithm) -> &'static Options {
        match unsafe { (self.has_mu)(alg) } {
            0 => &RANDOMIZED,
            _ => &DETERMINISTIC,
        }
    }

    fn plain(self, alg: *const Algorithm, sizes: Sizes, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
        contender::keys_as_bytes(
            sizes,
            operation,
            inputs,
            move |seed, pk, sk| unsafe {
                let (p, k, longer) = (pk.as_mut_ptr(), sk.as_mut_ptr(), contender::falcon_seed(seed));
                let bytes = (self.seed_bytes)(alg);
                (self.keygen)(alg, longer.as_ptr(), bytes, p, pk.len(), k, sk.len()) == 0
            },
            move |sk, m, out| unsafe {
                let (k, options, s, mut bytes) = (sk.as_ptr(), self.options(alg), out.as_mut_ptr(), 0);
                (self.sign)(alg, k, sk.len(), m.as_ptr(), m.len(), options, s, out.len(), &mut bytes) == 0
            },
            move |pk, m, s| unsafe {
                let (k, message, options) = (pk.as_ptr(), m.as_ptr(), null());
                (self.verify)(alg, k, pk.len(), message, m.len(), options, s.as_ptr(), s.len()) == 0
            },
        )
    }
}

impl Functions {
    fn signing_key(self, alg: *const Algorithm, bytes: &[u8]) -> Option<Prepared> {
        Prepared::new(alg, bytes, self.signing_key_size, self.prepare_signing_key)
    }

    fn verifying_key(self, alg: *const Algorithm, bytes: &[u8]) -> Option<Prepared> {
        Prepared::new(alg, bytes, self.verifying_key_size, self.prepare_verifying_key)
    }

    fn sign_prepared(self, alg: *const Algorithm, sizes: Sizes, inputs: &[&[u8]]) -> MaybeJob {
        contender::sign(
            inputs,
            sizes.signature,
            |secret, _| self.signing_key(alg, secret),
            move |key, m, out| unsafe {
                let (s, mut bytes) = (out.as_mut_ptr(), 0);
                let options = self.options(alg);
                (self.sign_prepared)(key.key, m.as_ptr(), m.len(), options, s, out.len(), &mut bytes) == 0
            },
        )
    }

    fn verify_prepared(self, alg: *const Algorithm, inputs: &[&[u8]]) -> MaybeJob {
        contender::verify(
            inputs,
            |public| self.verifying_key(alg, public),
            move |key, m, s| unsafe {
                (self.verify_prepared)(key.key, m.as_ptr(), m.len(), null(), s.as_ptr(), s.len()) == 0
            },
        )
    }

    fn keygen_many(self, alg: *const Algorithm, sizes: Sizes, inputs: &[&[u8]]) -> MaybeJob {
        let longer = |seed: &&[u8]| Some(self.seed(alg, (*seed).try_into().ok()?));
        let seeds = inputs.iter().map(longer).collect::<Option<Vec<_>>>()?;
        let mut outputs =
            inputs.iter().flat_map(|_| [vec![0; sizes.public], vec![0; sizes.secret]]).collect::<Vec<_>>();
        let rows = outputs.chunks_mut(2).zip(&seeds).map(|(keys, seed)| KeygenRow {
            seed: seed.as_ptr(),
            seed_bytes: seed.len(),
            random: null(),
            public_key: keys[0].as_mut_ptr(),
            public_key_bytes: keys[0].len(),
            secret_key: keys[1].as_mut_ptr(),
            secret_key_bytes: keys[1].len(),
            result: 0,
        });
        let rows = rows.collect();
        Some(Box::new(ManyJob { alg, many: self.keygen_many, rows, outputs, _keys: vec![], _inputs: seeds }))
    }

    fn sign_many(self, alg: *const Algorithm, sizes: Sizes, inputs: &[&[u8]]) -> MaybeJob {
        let [secret, _, messages @ ..] = inputs else { return None };
        let key = self.signing_key(alg, secret)?;
        let messages = owned(messages);
        let mut outputs = vec![vec![0; sizes.signature]; messages.len()];
        let rows = outputs.iter_mut().zip(&messages).map(|(signature, message)| SignRow {
            key: key.key,
            secret_key: null(),
            secret_key_bytes: 0,
            message: message.as_ptr(),
            message_bytes: message.len(),
            options: self.options(alg),
            signature: signature.as_mut_ptr(),
            signature_capacity: signature.len(),
            signature_bytes: 0,
            result: 0,
        });
        let rows = rows.collect();
        let many = self.sign_many;
        Some(Box::new(ManyJob { alg, many, rows, outputs, _keys: vec![key], _inputs: messages }))
    }

    fn verify_many(self, alg: *const Algorithm, inputs: &[&[u8]], prepared: bool) -> MaybeJob {
        let inputs = owned(inputs);
        let mut keys: Vec<Prepared> = Vec::new();
        let mut rows = Vec::new();
        let mut last: &[u8] = &[];
        for case in inputs.chunks(3) {
            let [public, message, signature] = case else { return None };
            if prepared && public != last {
                keys.push(self.verifying_key(alg, public)?);
                last = public;
            }
            rows.push(VerifyRow {
                key: keys.last().map_or(null(), |key| key.key),
                public_key: public.as_ptr(),
                public_key_bytes: public.len(),
                message: message.as_ptr(),
                message_bytes: message.len(),
                options: null(),
                signature: signature.as_ptr(),
                signature_bytes: signature.len(),
                result: 0,
            });
        }
        let many = self.verify_many;
        Some(Box::new(ManyJob { alg, many, rows, outputs: vec![], _keys: keys, _inputs: inputs }))
    }
}

pub fn owned(inputs: &[&[u8]]) -> Vec<Vec<u8>> {
    inputs.iter().map(|input| input.to_vec()).collect()
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
