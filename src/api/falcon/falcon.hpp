/// Shared by Falcon's functions that sign and verify. Falcon has no contexts, pre-hashes or
/// deterministic signatures; every signature takes a salt and a seed, and lengths differ.
#pragma once

#include <girih/girih.h>

#include <array>
#include <cstddef>

#include "api/falcon/tables.hpp"
#include "api/signing.hpp"

namespace girih::falcon_api {

using namespace api;

inline const falcon::Params& params_of(const girih_alg& alg) { return falcon::parameter_sets[alg.index]; }

/// Checks that the algorithm is a Falcon algorithm that signs (or verifies), and that an engine
/// runs.
inline int check_signs(const girih_alg* alg)
{
    GIRIH_TRY(check_has(alg, &girih_alg::signing, signing));
    return check_engine();
}
inline int check_verifies(const girih_alg* alg)
{
    GIRIH_TRY(check_has(alg, &girih_alg::verifying, verifying));
    return check_engine();
}

/// Refuses options that Falcon lacks.
int check_options(const girih_options& options);
int verdict_error(falcon::Verdict verdict);

/// The randomness of a signature: two requests, in the order of the known answers.
struct Randomness {
    Wiped<std::array<Byte, falcon::salt_bytes>> salt;
    Wiped<std::array<Byte, falcon::seed_bytes>> seed;

    int draw_for(const girih_options& options);
};

/// Signs the point of a salt and message.
int sign_point(const girih_alg& alg, BytesIn<> secret_key, const girih_options& options,
               const falcon::Residue* c, const Randomness& random, SigningOutputs& outputs);

}  // namespace girih::falcon_api
