/// Runs one operation and logs its trace, in two ways that have to agree.
#pragma once

#include <functional>

#include "log.hpp"

namespace girih::traces {

using Operation = std::function<int()>;

/// To be called once, when all libraries are loaded: the copied code reaches their data.
void prepare_runs();

/// At nearly its own speed: each block of instructions is copied, when it is first reached, behind
/// code that logs its address and the observed values; the copies run. Later runs use them as well.
void run_translated(const Operation& operation, Log& log);

/// One instruction at a time, by the processor's trap flag: slow, and simple enough to be trusted.
void run_stepped(const Operation& operation, Log& log);

/// The stack of both, so that their addresses are the same.
extern "C" [[gnu::visibility("hidden")]] void* girih_traces_stack;

/// On that stack.
inline int call_operation(const void* operation) { return (*static_cast<const Operation*>(operation))(); }

}  // namespace girih::traces
