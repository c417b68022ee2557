//! Time: the processor's time-stamp counter, fenced, and its rate against the system's clock.

use std::time::Instant;

/// The counter now; what came before has finished, and what comes after has not begun.
#[cfg(target_arch = "x86_64")]
pub fn ticks() -> u64 {
    use std::arch::x86_64::{_mm_lfence, _rdtsc};
    unsafe {
        _mm_lfence();
        let now = _rdtsc();
        _mm_lfence();
        now
    }
}

/// The virtual counter of an ARMv8 processor.
#[cfg(target_arch = "aarch64")]
pub fn ticks() -> u64 {
    let now;
    unsafe { std::arch::asm!("isb", "mrs {}, cntvct_el0", "isb", out(reg) now) };
    now
}

/// Compares the counter with the system's clock over its own lifetime.
pub struct Calibration {
    ticks: u64,
    time: Instant,
}

impl Calibration {
    pub fn begin() -> Self {
        Self { ticks: ticks(), time: Instant::now() }
    }

    /// Ticks per nanosecond since [`Calibration::begin`].
    pub fn rate(&self) -> f64 {
        (ticks() - self.ticks) as f64 / self.time.elapsed().as_nanos() as f64
    }
}

/// How often the scheduler has taken the core away from this thread.
pub fn interruptions() -> i64 {
    unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_THREAD, &mut usage);
        usage.ru_nivcsw
    }
}

/// How long this thread has had a core, in nanoseconds.
fn time_on_core() -> f64 {
    unsafe {
        let mut time: libc::timespec = std::mem::zeroed();
        libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time);
        time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
    }
}

/// Watches whether the scheduler takes the core away.
pub struct Stopwatch {
    interruptions: i64,
    on_core: f64,
    time: Instant,
}

impl Stopwatch {
    pub fn start() -> Self {
        Self { on_core: time_on_core(), time: Instant::now(), interruptions: interruptions() }
    }

    /// The part of the time since the start in which this thread had the core; `None` if it was not
    /// interrupted.
    pub fn share_of_core(&self) -> Option<f64> {
        if interruptions() == self.interruptions {
            return None;
        }
        let (on_core, elapsed) = (time_on_core() - self.on_core, self.time.elapsed().as_nanos() as f64);
        Some((on_core / elapsed).clamp(0.0, 1.0))
    }
}

/// Pins the process, and every thread that it will start, to one core: the given one or
/// the last it may use.
pub fn pin(core: Option<usize>) -> Result<usize, String> {
    let bytes = size_of::<libc::cpu_set_t>();
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::sched_getaffinity(0, bytes, &mut set);
        let last = (0..libc::CPU_SETSIZE as usize).rfind(|&core| libc::CPU_ISSET(core, &set));
        let core = core.or(last).ok_or("no core to run on")?;
        libc::CPU_ZERO(&mut set);
        libc::CPU_SET(core, &mut set);
        match libc::sched_setaffinity(0, bytes, &set) {
            0 => Ok(core),
            _ => Err(format!("cannot run on core {core}: {}", std::io::Error::last_os_error())),
        }
    }
}
