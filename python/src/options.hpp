/// Options of signing and verifying from Python's arguments.
#pragma once

#include <girih/girih.h>

#include "buffers.hpp"
#include "random.hpp"

namespace girih::python {

/// Options that own their context, pre-hash and randomness. Made with the interpreter's lock.
class Options {
  public:
    /// Checks the context's length and the pre-hash, so that errors name the argument.
    Options(const girih_alg* alg, nb::handle context, nb::handle pre_hash, bool deterministic = false,
            bool verify_after_sign = false, nb::handle random = nb::none());

    [[nodiscard]] const girih_options* get() const noexcept { return &options_; }
    [[nodiscard]] const RandomSource& random() const noexcept { return random_; }

  private:
    Buffer context_;
    RandomSource random_;
    girih_options options_;
};

/// The name of a pre-hash, or null for None; throws a Failure for one that the algorithm lacks.
[[nodiscard]] const char* pre_hash_of(const girih_alg* alg, nb::handle pre_hash);
/// GIRIH_OK, or GIRIH_ERROR_CONTEXT if a context of this length is not allowed.
[[nodiscard]] int check_context(const girih_alg* alg, std::size_t bytes) noexcept;
/// Throws a Failure, which names the argument, if a context of this length is not allowed.
void demand_context(const girih_alg* alg, std::size_t bytes, const char* name);

void define_signatures(nb::module_& module);
void define_kems(nb::module_& module);
void define_messages(nb::module_& module);
void define_key_files(nb::module_& module);
void define_envelopes(nb::module_& module);
void define_batches(nb::module_& module);
void define_arrow_results(nb::module_& module);

}  // namespace girih::python
