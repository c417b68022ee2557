/// The engines whose components have rows.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace girih::bench {

struct EngineRows {
    std::string_view name;
    void (*add)();
};

extern const EngineRows portable_rows;

/// All of them. Each is defined in a file of engines/.
[[nodiscard]] std::span<const EngineRows> engines();

/// The engine of a name, or null.
[[nodiscard]] const EngineRows* engine_of_name(std::string_view name);

/// "portable, avx2": the names of all.
[[nodiscard]] std::string engine_names();

}  // namespace girih::bench
