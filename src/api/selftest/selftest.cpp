/// girih_selftest, in an object of its own, so that only programs that call it link it.
#include <algorithm>
#include <array>

#include "api/algorithms/algorithm.hpp"
#include "api/arguments.hpp"
#include "api/selftest/comparison.hpp"
#include "engines/selection.hpp"

using namespace girih;
using namespace girih::api;

namespace {

struct MuFunctions {
    static int sign(const girih_alg& alg, BytesIn<> secret_key, BytesIn<> mu, BytesOut<> signature)
    {
        girih_options options{};
        options.deterministic = 1;
        size_t bytes = 0;
        return girih_sign_mu(&alg, secret_key.data(), secret_key.size(), mu.data(), mu.size(), &options,
                             signature.data(), signature.size(), &bytes);
    }
    static int verify(const girih_alg& alg, BytesIn<> public_key, BytesIn<> mu, BytesIn<> signature)
    {
        return girih_verify_mu(&alg, public_key.data(), public_key.size(), mu.data(), mu.size(),
                               signature.data(), signature.size());
    }
};

bool passes(const girih_alg& alg)
{
    std::array<Byte, max_public_key_bytes> public_key;
    std::array<Byte, max_secret_key_bytes> secret_key;
    std::array<Byte, std::max(max_signature_bytes, max_ciphertext_bytes)> output;
    return passes_selftest<MuFunctions>(alg, {BytesOut<>{public_key}.first(alg.public_key_bytes),
                                              BytesOut<>{secret_key}.first(alg.secret_key_bytes), output});
}

}  // namespace

int girih_selftest(const girih_alg* alg, const char* engine)
{
    GIRIH_TRY(check_has(alg, &girih_alg::keys));
    GIRIH_TRY(check_engine());
    girih_alg tested = *alg;
    if (engine != nullptr) {
        const engines::Engine* const named = *engine == 0 ? nullptr : engines::select(engine).engine;
        if (named == nullptr) return GIRIH_ERROR_ENGINE;
        tested.operations.fill(alg->operations[named->number]);  // whatever engine is in use
    }
    return passes(tested) ? GIRIH_OK : GIRIH_ERROR_FAULT;
}
