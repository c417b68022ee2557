/// The checks and outputs of all functions that make or check a key pair.
#pragma once

#include "api/algorithms/algorithm.hpp"
#include "api/arguments.hpp"

namespace girih::api {

inline int check_key_pair(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes,
                          const uint8_t* secret_key, size_t secret_key_bytes)
{
    GIRIH_TRY(check_public_key(*alg, public_key, public_key_bytes));
    return check_secret_key(*alg, secret_key, secret_key_bytes);
}

/// Both keys of a pair before they are written to the outputs.
struct KeyPairBuffers {
    ResultBuffer<max_public_key_bytes> public_key;
    ResultBuffer<max_secret_key_bytes> secret_key;
};

/// Runs make(pair) between the checks and the outputs of a function that makes a key pair. `able`
/// is the result of check_has.
template <class Make>
int make_pair(int able, const girih_alg* alg, uint8_t* public_key, size_t public_key_bytes,
              uint8_t* secret_key, size_t secret_key_bytes, Make make)
{
    Output public_out{public_key, public_key_bytes};
    Output secret_out{secret_key, secret_key_bytes};
    GIRIH_TRY(check_apart(public_out, secret_out));
    GIRIH_TRY(able);
    GIRIH_TRY(check_key_pair(alg, public_key, public_key_bytes, secret_key, secret_key_bytes));
    KeyPairBuffers pair{ResultBuffer<max_public_key_bytes>{public_key_bytes},
                        ResultBuffer<max_secret_key_bytes>{secret_key_bytes}};
    GIRIH_TRY(make(pair));
    public_out.write(pair.public_key.view());
    secret_out.write(pair.secret_key.view());
    return GIRIH_OK;
}

}  // namespace girih::api
