/// The engines whose components have rows.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace girih::lab {

class RoutineClock;

struct EngineRows {
    std::string_view name;
    void (*add)();  ///< adds the rows of the components
    void (*time_routines)(std::string_view set, RoutineClock& clock);
};

/// Adds the rows of the prime field, which no engine changes.
void add_field_rows();

/// Each file of an engine that is built adds it by a variable of this type.
class EngineRegistration {
  public:
    explicit EngineRegistration(const EngineRows& engine);
};

/// All of them.
[[nodiscard]] std::span<const EngineRows> engines();

/// The engine of a name, or null.
[[nodiscard]] const EngineRows* engine_of_name(std::string_view name);

/// "portable, avx2": the names of all.
[[nodiscard]] std::string engine_names();

}  // namespace girih::lab
