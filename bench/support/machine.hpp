/// Where and how a table was made, for its header.
#pragma once

#include <optional>
#include <string>

namespace girih::bench {

/// The processor's name, as the system gives it.
[[nodiscard]] std::string processor();

[[nodiscard]] std::string compiler();

/// The flags that the library and the rows were compiled with.
[[nodiscard]] std::string compiler_flags();

/// Keeps the program on the core where it is; nothing if the system does not let it.
[[nodiscard]] std::optional<int> pin_to_one_core();

}  // namespace girih::bench
