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

/// Each file of engines/ that is built adds its engine by a variable of this type.
class EngineRegistration {
  public:
    EngineRegistration(std::string_view name, void (*add)());
};

/// All of them.
[[nodiscard]] std::span<const EngineRows> engines();

/// The engine of a name, or null.
[[nodiscard]] const EngineRows* engine_of_name(std::string_view name);

/// "portable, avx2": the names of all.
[[nodiscard]] std::string engine_names();

}  // namespace girih::bench
