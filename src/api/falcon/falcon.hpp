/// What Falcon's functions that sign and verify have in common: no contexts, no pre-hashes, nothing
/// deterministic; a salt and a seed for every signature, and signatures of different lengths.
#pragma once

#include <girih/girih.h>

#include <array>
#include <cstddef>

#include "api/falcon/tables.hpp"
#include "api/signing.hpp"

namespace girih::falcon_api {

using namespace api;

inline const falcon::Params& params_of(const girih_alg& alg) { return falcon::parameter_sets[alg.index]; }

/// An algorithm of Falcon's that signs, or that verifies, and an engine.
inline int check_signs(const girih_alg* alg)
{
    return alg == nullptr || alg->signing != &signing ? int{GIRIH_ERROR_ARGUMENT} : check_engine();
}
inline int check_verifies(const girih_alg* alg)
{
    return alg == nullptr || alg->verifying != &verifying ? int{GIRIH_ERROR_ARGUMENT} : check_engine();
}

/// What the options may not ask for.
int check_options(const girih_options& options);
int verdict_error(falcon::Verdict verdict);

/// What a signature draws: two requests, in the order of the known answers.
struct Randomness {
    Wiped<std::array<Byte, falcon::salt_bytes>> salt;
    Wiped<std::array<Byte, falcon::seed_bytes>> seed;

    int draw_for(const girih_options& options);
};

/// Signs the point that salt and message were hashed to.
int sign_point(const girih_alg& alg, BytesIn<> secret_key, const girih_options& options,
               const falcon::Residue* c, const Randomness& random, SigningOutputs& outputs);

}  // namespace girih::falcon_api
