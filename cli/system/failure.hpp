/// How the command ends.
#pragma once

#include <exception>
#include <new>
#include <stdexcept>
#include <string>

namespace girih::cli {

enum ExitCode : int {
    exit_good = 0,
    exit_unverified = 1,  ///< the signature does not verify, or the self-test found a fault
    exit_usage = 2,       ///< the command line asks for something that does not exist
    exit_file = 3         ///< a file cannot be read, written or used, or the machine cannot do the work
};

/// Ends the command with one line for people and an exit code. Thrown anywhere, caught in main.
class Failure : public std::runtime_error {
  public:
    Failure(ExitCode code, const std::string& line) : std::runtime_error(line), code_(code) {}
    [[nodiscard]] ExitCode code() const noexcept { return code_; }

    /// A copy for main that marks the failure as already reported in JSON.
    [[nodiscard]] Failure reported() const
    {
        Failure same = *this;
        same.is_reported_ = true;
        return same;
    }
    [[nodiscard]] bool is_reported() const noexcept { return is_reported_; }

  private:
    ExitCode code_;
    bool is_reported_ = false;
};

/// The exception being handled, as a Failure.
inline Failure current_failure()
try {
    throw;
} catch (const Failure& failure) {
    return failure;
} catch (const std::bad_alloc&) {
    return {exit_file, "out of memory"};
} catch (const std::exception& error) {
    return {exit_file, std::string("a fault of girih's own: ") + error.what()};
}

/// The library's text for an error, with the reason if randomness just failed.
[[nodiscard]] std::string explained(const std::string& error);

/// Throws for an error that the library just returned, unless it is GIRIH_OK.
void expect_ok(int code);

}  // namespace girih::cli
