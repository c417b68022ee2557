//! girih's functions for key encapsulation, through its C interface (`girih/girih.h`).

use crate::girih::{Algorithm, Keygen, Many, ManyJob, Prepare, Prepared, PreparedKey, SizeOf, owned};
use contender::MaybeJob;
use contender::kem::{self, Cases, Drawn, Kem, PreparedKem, SHARED_SECRET, Sizes, ml_kem_randomness};
use libloading::Library;
use std::ffi::{c_int, c_void};
use std::ptr::null;

/// `girih_random`.
#[repr(C)]
struct Random {
    fill: unsafe extern "C" fn(*mut c_void, *mut u8, usize) -> c_int,
    state: *mut c_void,
    piecewise: c_int,
}

impl Random {
    /// A source of randomness that has a seed to give, and nothing else.
    fn of(seed: &[u8]) -> Self {
        Self { fill: fill_from_seed, state: seed.as_ptr().cast_mut().cast(), piecewise: 0 }
    }
}

unsafe extern "C" fn fill_from_seed(state: *mut c_void, out: *mut u8, bytes: usize) -> c_int {
    let seed = unsafe { &*state.cast::<[u8; 32]>() };
    if bytes != seed.len() {
        return -1;
    }
    unsafe { std::ptr::copy_nonoverlapping(seed.as_ptr(), out, bytes) };
    0
}

type Encapsulate = unsafe extern "C" fn(
    *const Algorithm,
    *const Random,
    *const u8,
    usize,
    *mut u8,
    usize,
    *mut u8,
    usize,
) -> c_int;
type Decapsulate =
    unsafe extern "C" fn(*const Algorithm, *const u8, usize, *const u8, usize, *mut u8, usize) -> c_int;
type EncapsulatePrepared =
    unsafe extern "C" fn(*const PreparedKey, *const Random, *mut u8, usize, *mut u8, usize) -> c_int;
type DecapsulatePrepared =
    unsafe extern "C" fn(*const PreparedKey, *const u8, usize, *mut u8, usize) -> c_int;

/// `girih_encapsulate_row`.
#[repr(C)]
struct EncapsulateRow {
    key: *const PreparedKey,
    public_key: *const u8,
    public_key_bytes: usize,
    random: *const Random,
    ciphertext: *mut u8,
    ciphertext_bytes: usize,
    shared_secret: *mut u8,
    shared_secret_bytes: usize,
    result: c_int,
}

/// `girih_decapsulate_row`.
#[repr(C)]
struct DecapsulateRow {
    key: *const PreparedKey,
    secret_key: *const u8,
    secret_key_bytes: usize,
    ciphertext: *const u8,
    ciphertext_bytes: usize,
    shared_secret: *mut u8,
    shared_secret_bytes: usize,
    result: c_int,
}

/// The functions of one loaded copy.
#[derive(Clone, Copy)]
pub struct Functions {
    is_kem: unsafe extern "C" fn(*const Algorithm) -> c_int,
    public_key_bytes: SizeOf,
    secret_key_bytes: SizeOf,
    ciphertext_bytes: SizeOf,
    seed_bytes: SizeOf,
    keygen: Keygen,
    encapsulate: Encapsulate,
    decapsulate: Decapsulate,
    /// A library from before it had any has none.
    prepared: Option<PreparedFunctions>,
}

/// Those for prepared keys and for many rows.
#[derive(Clone, Copy)]
struct PreparedFunctions {
    encapsulation_key_size: SizeOf,
    decapsulation_key_size: SizeOf,
    prepare_encapsulation_key: Prepare,
    prepare_decapsulation_key: Prepare,
    encapsulate: EncapsulatePrepared,
    decapsulate: DecapsulatePrepared,
    encapsulate_many: Many<EncapsulateRow>,
    decapsulate_many: Many<DecapsulateRow>,
}

impl PreparedFunctions {
    fn of(library: &'static Library) -> Result<Self, libloading::Error> {
        unsafe {
            Ok(Self {
                encapsulation_key_size: *library.get(b"girih_encapsulation_key_size")?,
                decapsulation_key_size: *library.get(b"girih_decapsulation_key_size")?,
                prepare_encapsulation_key: *library.get(b"girih_prepare_encapsulation_key")?,
                prepare_decapsulation_key: *library.get(b"girih_prepare_decapsulation_key")?,
                encapsulate: *library.get(b"girih_encapsulate_prepared")?,
                decapsulate: *library.get(b"girih_decapsulate_prepared")?,
                encapsulate_many: *library.get(b"girih_encapsulate_many")?,
                decapsulate_many: *library.get(b"girih_decapsulate_many")?,
            })
        }
    }
}

/// The bytes of ML-KEM's seeds, d and z. girih expands those of NTRU Prime itself, under the clock.
const ML_KEM_SEED: usize = 64;

impl Functions {
    pub fn of(library: &'static Library) -> Result<Self, libloading::Error> {
        unsafe {
            Ok(Self {
                is_kem: *library.get(b"girih_is_kem")?,
                public_key_bytes: *library.get(b"girih_public_key_bytes")?,
                secret_key_bytes: *library.get(b"girih_secret_key_bytes")?,
                ciphertext_bytes: *library.get(b"girih_ciphertext_bytes")?,
                seed_bytes: *library.get(b"girih_seed_bytes")?,
                keygen: *library.get(b"girih_keygen_from_seed")?,
                encapsulate: *library.get(b"girih_encapsulate")?,
                decapsulate: *library.get(b"girih_decapsulate")?,
                prepared: PreparedFunctions::of(library).ok(),
            })
        }
    }

    pub fn is_kem(self, alg: *const Algorithm) -> bool {
        unsafe { (self.is_kem)(alg) != 0 }
    }

    /// What an algorithm takes, from a seed of the race.
    pub fn randomness(self, alg: *const Algorithm, seed: &[u8; 32], drawn: Drawn) -> Vec<u8> {
        match unsafe { (self.seed_bytes)(alg) } {
            ML_KEM_SEED => ml_kem_randomness(seed, drawn),
            _ => seed.to_vec(),
        }
    }

    pub fn job(self, alg: *const Algorithm, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
        let sizes = unsafe {
            Sizes {
                public: (self.public_key_bytes)(alg),
                secret: (self.secret_key_bytes)(alg),
                ciphertext: (self.ciphertext_bytes)(alg),
            }
        };
        let mechanism = Mechanism { functions: self, alg, sizes };
        match operation {
            "encapsulate_many" => mechanism.encapsulate_many(inputs, false),
            "encapsulate_many prepared" => mechanism.encapsulate_many(inputs, true),
            "decapsulate_many" => mechanism.decapsulate_many(inputs, false),
            "decapsulate_many prepared" => mechanism.decapsulate_many(inputs, true),
            _ => kem::prepared_job(mechanism, operation, inputs),
        }
    }
}

#[derive(Clone)]
struct Mechanism {
    functions: Functions,
    alg: *const Algorithm,
    sizes: Sizes,
}

impl Kem for Mechanism {
    fn sizes(&self) -> Sizes {
        self.sizes
    }

    fn randomness(&self, seed: &[u8; 32], drawn: Drawn) -> Vec<u8> {
        self.functions.randomness(self.alg, seed, drawn)
    }

    fn keygen(&self, seed: &[u8], pk: &mut [u8], sk: &mut [u8]) -> bool {
        let (s, p, k) = (seed.as_ptr(), pk.as_mut_ptr(), sk.as_mut_ptr());
        unsafe { (self.functions.keygen)(self.alg, s, seed.len(), p, pk.len(), k, sk.len()) == 0 }
    }

    fn encapsulate(&self, seed: &[u8], pk: &[u8], ciphertext: &mut [u8], shared: &mut [u8]) -> bool {
        let random = Random::of(seed);
        let (p, c, s) = (pk.as_ptr(), ciphertext.as_mut_ptr(), shared.as_mut_ptr());
        let (pk, ciphertext, shared) = (pk.len(), ciphertext.len(), shared.len());
        unsafe { (self.functions.encapsulate)(self.alg, &random, p, pk, c, ciphertext, s, shared) == 0 }
    }

    fn decapsulate(&self, sk: &[u8], ciphertext: &[u8], shared: &mut [u8]) -> bool {
        let (k, c, s) = (sk.as_ptr(), ciphertext.as_ptr(), shared.as_mut_ptr());
        let (sk, ciphertext, shared) = (sk.len(), ciphertext.len(), shared.len());
        unsafe { (self.functions.decapsulate)(self.alg, k, sk, c, ciphertext, s, shared) == 0 }
    }
}

impl PreparedKem for Mechanism {
    type Public = Prepared;
    type Secret = Prepared;

    fn load_public(&self, public: &[u8]) -> Option<Prepared> {
        let functions = self.functions.prepared?;
        let (size, prepare) = (functions.encapsulation_key_size, functions.prepare_encapsulation_key);
        Prepared::new(self.alg, public, size, prepare)
    }

    fn load_secret(&self, secret: &[u8]) -> Option<Prepared> {
        let functions = self.functions.prepared?;
        let (size, prepare) = (functions.decapsulation_key_size, functions.prepare_decapsulation_key);
        Prepared::new(self.alg, secret, size, prepare)
    }

    fn encapsulate_prepared(
        &self,
        seed: &[u8],
        key: &Prepared,
        ciphertext: &mut [u8],
        shared: &mut [u8],
    ) -> bool {
        let Some(functions) = self.functions.prepared else { return false };
        let random = Random::of(seed);
        let (c, s) = (ciphertext.as_mut_ptr(), shared.as_mut_ptr());
        unsafe { (functions.encapsulate)(key.key, &random, c, ciphertext.len(), s, shared.len()) == 0 }
    }

    fn decapsulate_prepared(&self, key: &Prepared, ciphertext: &[u8], shared: &mut [u8]) -> bool {
        let Some(functions) = self.functions.prepared else { return false };
        let (c, s) = (ciphertext.as_ptr(), shared.as_mut_ptr());
        unsafe { (functions.decapsulate)(key.key, c, ciphertext.len(), s, shared.len()) == 0 }
    }
}

/// The keys of a call for many rows: prepared ones, or none for rows that take bytes.
struct RowKeys {
    prepared: Vec<Prepared>,
    /// Of each row, its prepared key or null.
    of_rows: Vec<*const PreparedKey>,
}

impl RowKeys {
    fn of(inputs: &[&[u8]], prepare: Option<impl Fn(&[u8]) -> Option<Prepared>>) -> Option<Self> {
        let Some(prepare) = prepare else {
            return Some(Self { prepared: vec![], of_rows: vec![null(); inputs.len() / 2] });
        };
        let cases = Cases::of(inputs, prepare, |_| Some(vec![]))?;
        let of_rows = cases.items.iter().map(|(key, _)| cases.keys[*key].key).collect();
        Some(Self { prepared: cases.keys, of_rows })
    }
}

impl Mechanism {
    fn encapsulate_many(&self, inputs: &[&[u8]], prepared: bool) -> MaybeJob {
        let many = self.functions.prepared?.encapsulate_many;
        let keys = RowKeys::of(inputs, prepared.then_some(|public: &[u8]| self.load_public(public)))?;
        let inputs = owned(inputs);
        let sources = inputs.chunks_exact(2).map(|case| Random::of(&case[1])).collect::<Box<[_]>>();
        let mut outputs = sources
            .iter()
            .flat_map(|_| [vec![0; self.sizes.ciphertext], vec![0; SHARED_SECRET]])
            .collect::<Vec<_>>();
        let places = outputs.chunks_mut(2).zip(inputs.chunks_exact(2)).zip(&sources).zip(&keys.of_rows);
        let rows = places.map(|(((made, case), random), &key)| EncapsulateRow {
            key,
            public_key: if prepared { null() } else { case[0].as_ptr() },
            public_key_bytes: if prepared { 0 } else { case[0].len() },
            random,
            ciphertext: made[0].as_mut_ptr(),
            ciphertext_bytes: made[0].len(),
            shared_secret: made[1].as_mut_ptr(),
            shared_secret_bytes: made[1].len(),
            result: 0,
        });
        let rows = rows.collect();
        let (alg, _inputs) = (self.alg, (inputs, sources));
        Some(Box::new(ManyJob { alg, many, rows, outputs, _keys: keys.prepared, _inputs }))
    }

    fn decapsulate_many(&self, inputs: &[&[u8]], prepared: bool) -> MaybeJob {
        let many = self.functions.prepared?.decapsulate_many;
        let keys = RowKeys::of(inputs, prepared.then_some(|secret: &[u8]| self.load_secret(secret)))?;
        let inputs = owned(inputs);
        let mut outputs = vec![vec![0; SHARED_SECRET]; inputs.len() / 2];
        let places = outputs.iter_mut().zip(inputs.chunks_exact(2)).zip(&keys.of_rows);
        let rows = places.map(|((shared, case), &key)| DecapsulateRow {
            key,
            secret_key: if prepared { null() } else { case[0].as_ptr() },
            secret_key_bytes: if prepared { 0 } else { case[0].len() },
            ciphertext: case[1].as_ptr(),
            ciphertext_bytes: case[1].len(),
            shared_secret: shared.as_mut_ptr(),
            shared_secret_bytes: shared.len(),
            result: 0,
        });
        let rows = rows.collect();
        let (alg, _inputs) = (self.alg, inputs);
        Some(Box::new(ManyJob { alg, many, rows, outputs, _keys: keys.prepared, _inputs }))
    }
}
