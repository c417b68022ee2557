//! A peer's shared library, with the functions of `contender.h`.

use crate::racer::{Kind, Racer};
use contender::export::Bytes;
use contender::{Job, MaybeJob};
use libloading::{Library, Symbol};
use std::borrow::Cow;
use std::ffi::{CStr, CString, c_char, c_int};
use std::ops::Range;
use std::path::Path;
use std::ptr::null_mut;
use std::rc::Rc;

struct Functions {
    job: unsafe extern "C" fn(usize, *const c_char, *const c_char, *const Bytes, usize) -> usize,
    run: unsafe extern "C" fn(usize, usize, usize) -> c_int,
    output: unsafe extern "C" fn(usize, usize, *mut u8, usize) -> usize,
    drop: unsafe extern "C" fn(usize),
    rest: unsafe extern "C" fn(),
}

struct ForeignJob {
    functions: Rc<Functions>,
    job: usize,
}

impl Job for ForeignJob {
    fn run(&mut self, operations: Range<usize>) -> bool {
        unsafe { (self.functions.run)(self.job, operations.start, operations.end) == 0 }
    }

    fn outputs(&self) -> Cow<'_, [Vec<u8>]> {
        let output = self.functions.output;
        let read = |index| {
            let bytes = unsafe { output(self.job, index, null_mut(), 0) };
            let mut copy = vec![0; if bytes == usize::MAX { return None } else { bytes }];
            unsafe { output(self.job, index, copy.as_mut_ptr(), bytes) };
            Some(copy)
        };
        Cow::Owned((0..).map_while(read).collect())
    }
}

impl Drop for ForeignJob {
    fn drop(&mut self) {
        unsafe { (self.functions.drop)(self.job) };
    }
}

impl Functions {
    fn job(
        self: &Rc<Self>,
        contender: usize,
        algorithm: &str,
        operation: &str,
        inputs: &[&[u8]],
    ) -> MaybeJob {
        let algorithm = CString::new(algorithm).ok()?;
        let operation = CString::new(operation).ok()?;
        let inputs =
            inputs.iter().map(|input| Bytes { data: input.as_ptr(), bytes: input.len() }).collect::<Vec<_>>();
        let (data, count) = (inputs.as_ptr(), inputs.len());
        let job = unsafe { (self.job)(contender, algorithm.as_ptr(), operation.as_ptr(), data, count) };
        (job != 0).then(|| Box::new(ForeignJob { functions: self.clone(), job }) as Box<dyn Job>)
    }
}

/// The contenders of a peer's library. `label` is added to their names, unless it is empty.
pub fn load(label: &str, path: &Path) -> Result<Vec<Racer>, libloading::Error> {
    // Never unloaded: a Go runtime cannot be.
    let library: &'static Library = Box::leak(Box::new(unsafe { Library::new(path) }?));
    let functions = unsafe {
        Rc::new(Functions {
            job: *library.get(b"contender_job")?,
            run: *library.get(b"contender_run")?,
            output: *library.get(b"contender_output")?,
            drop: *library.get(b"contender_drop")?,
            rest: *library.get(b"contender_rest")?,
        })
    };
    let list: Symbol<unsafe extern "C" fn() -> *const c_char> = unsafe { library.get(b"contender_list") }?;
    let list = unsafe { CStr::from_ptr(list()) }.to_string_lossy();

    let racer = |(index, line): (usize, &str)| {
        let mut fields = line.split('\t').map(str::to_owned);
        let mut next = || fields.next().unwrap_or_default();
        let name = next();
        let (job, rest) = (functions.clone(), functions.rest);
        Racer {
            name: if label.is_empty() { name } else { format!("{name} ({label})") },
            kind: Kind::Peer { package: next(), code: next(), note: next() },
            make_job: Box::new(move |algorithm, operation, inputs| {
                job.job(index, algorithm, operation, inputs)
            }),
            rest: Box::new(move || unsafe { rest() }),
        }
    };
    Ok(list.lines().enumerate().map(racer).collect())
}
