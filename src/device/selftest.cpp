/// girih_selftest, for programs that call it.
#include <algorithm>

#include "device/algorithm.hpp"

#include "api/selftest/comparison.hpp"

using namespace girih;
using namespace girih::device;

namespace {

/// By the algorithm's own functions: a library without ML-DSA has no girih_sign_mu.
struct MuFunctions {
    static int sign(const girih_alg& alg, BytesIn<> secret_key, BytesIn<> mu, BytesOut<> signature)
    {
        const auto result = alg.ml_dsa->sign(secret_key.data(), mu.data(), nullptr, signature.data());
        return result == ml_dsa::SignResult::good ? GIRIH_OK : GIRIH_ERROR_FAULT;
    }
    static int verify(const girih_alg& alg, BytesIn<> public_key, BytesIn<> mu, BytesIn<> signature)
    {
        const auto difference = alg.ml_dsa->verify(public_key.data(), mu.data(), signature.data());
        return difference == 0 ? GIRIH_OK : GIRIH_ERROR_SIGNATURE;
    }
};

}  // namespace

int girih_selftest(const girih_alg* alg, const char* engine)
{
    GIRIH_TRY(check_has(alg, &girih_alg::keygen));
    if (engine != nullptr && !are_equal(engine, GIRIH_DEVICE_ENGINE)) return GIRIH_ERROR_ENGINE;
    const std::size_t output_bytes = std::max(alg->signature_bytes, alg->ciphertext_bytes);
    const std::size_t bytes = alg->public_key_bytes + alg->secret_key_bytes + output_bytes;
    const BytesOut<> memory{static_cast<Byte*>(__builtin_alloca(bytes)), bytes};
    const ResultMemory results{memory.first(alg->public_key_bytes),
                               memory.subspan(alg->public_key_bytes, alg->secret_key_bytes),
                               memory.last(output_bytes)};
    return passes_selftest<MuFunctions>(*alg, results) ? GIRIH_OK : GIRIH_ERROR_FAULT;
}
