/// Where and how a table was made, for its header.
#pragma once

#include <string>

namespace girih::lab {

/// The processor's name, as the system gives it.
[[nodiscard]] std::string processor();

[[nodiscard]] std::string compiler();

/// The flags that the library and the rows were compiled with.
[[nodiscard]] std::string compiler_flags();

}  // namespace girih::lab
