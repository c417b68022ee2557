/// Releases the interpreter's lock while the library works, and takes it for callbacks.
///
/// Before CPython 3.14, a daemon thread that takes the lock while the interpreter ends is unwound
/// by pthread_exit; in a noexcept function, that would abort the process. Here such a thread waits
/// for the end of the process instead, as it does from 3.14 on.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <thread>

namespace girih::python {

template <class Take>
void take_or_wait(Take take) noexcept
{
    try {
        take();
    } catch (...) {  // no exception of C++, but pthread_exit, whose unwinding this never lets on
        for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
    }
}

class Unlocked {
  public:
    Unlocked() noexcept : state_(PyEval_SaveThread()) {}
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;
    ~Unlocked()
    {
        take_or_wait([this] { PyEval_RestoreThread(state_); });
    }

  private:
    PyThreadState* state_;
};

class Locked {
  public:
    Locked() noexcept
    {
        take_or_wait([this] { state_ = PyGILState_Ensure(); });
    }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;
    ~Locked() { PyGILState_Release(state_); }

  private:
    PyGILState_STATE state_{};
};

}  // namespace girih::python
