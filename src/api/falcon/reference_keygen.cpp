#include "api/falcon/tables.hpp"
#include "api/key_pairs.hpp"
#include "engines/reference_keys.hpp"

using namespace girih;
using namespace girih::api;

#if defined(GIRIH_WITHOUT_FALCON)

int girih_falcon_reference_keygen(const girih_alg* alg, const uint8_t*, size_t, uint8_t* public_key,
                                  size_t public_key_bytes, uint8_t* secret_key, size_t secret_key_bytes)
{
    return make_pair(check_able(alg, false), alg, public_key, public_key_bytes, secret_key, secret_key_bytes,
                     [](KeyPairBuffers&) { return GIRIH_OK; });
}

#else

int girih_falcon_reference_keygen(const girih_alg* alg, const uint8_t* seed, size_t seed_bytes,
                                  uint8_t* public_key, size_t public_key_bytes, uint8_t* secret_key,
                                  size_t secret_key_bytes)
{
    return make_pair(check_has(alg, &girih_alg::keys, falcon_api::keys), alg, public_key, public_key_bytes,
                     secret_key, secret_key_bytes, [&](KeyPairBuffers& pair) {
                         GIRIH_TRY(check_engine());
                         GIRIH_TRY(check(seed, seed_bytes, alg->seed_bytes));
                         engines::falcon_reference_keygen(falcon::parameter_sets[alg->index].logn, seed,
                                                          pair.public_key.data(), pair.secret_key.data());
                         return int{GIRIH_OK};
                     });
}

#endif
