/// Batches of operations of one library on byte strings, to be timed.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/measure/random.hpp"
#include "lab/operations/functions.hpp"

namespace girih::lab {

/// Byte strings in the order of the operation (a table in peers/contender/contender.h has the
/// operations that peers have too).
using Strings = std::vector<Bytes>;

/// A batch of operations, made once and run under the clock.
class Job {
  public:
    Job() = default;
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;
    virtual ~Job() = default;

    /// Runs the operations from `first` up to but not including `end`, or up to the last one. True
    /// if all of them succeeded.
    virtual bool run(std::size_t first, std::size_t end) = 0;
    bool run() { return run(0, SIZE_MAX); }

    /// The outputs of the last run.
    [[nodiscard]] virtual Strings outputs() const = 0;
};

/// A library, or one way to build or to run it.
struct Contender {
    using MakeJob = std::function<std::unique_ptr<Job>(const std::string& algorithm,
                                                       const std::string& operation, const Strings& inputs)>;
    std::string name;
    MakeJob job{};  ///< gives null if the operation is not offered, or a key is malformed
    bool is_girih = false;
    std::string engine{}, compiler{};       ///< of girih
    std::string package{}, code{}, note{};  ///< of a peer; its code is portable, assembly or vector
    std::function<void()> rest = [] {};     ///< called between turns, not timed

    /// Runs a job once. Nothing if the operation is not offered or fails.
    [[nodiscard]] std::optional<Strings> outputs(const std::string& algorithm, const std::string& operation,
                                                 const Strings& inputs) const;

    /// Whether it has no assembly language and no vector instructions beyond the architecture's
    /// baseline.
    [[nodiscard]] bool is_portable() const { return (is_girih ? engine : code) == "portable"; }
};

/// A build of girih, whose functions stay loaded as long as the contender lives.
[[nodiscard]] Contender girih_contender(std::string name, const Functions& functions);

/// girih's operation of this name on one of its algorithms; null as in Contender::job.
[[nodiscard]] std::unique_ptr<Job> girih_job(const Functions& girih, const girih_alg* alg,
                                             const std::string& operation, const Strings& inputs);

}  // namespace girih::lab
