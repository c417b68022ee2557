/// What every function that makes or checks a key pair does first and last.
#pragma once

#include "api/algorithms/algorithm.hpp"
#include "api/arguments.hpp"

namespace girih::api {

inline int check_key_pair(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes,
                          const uint8_t* secret_key, size_t secret_key_bytes)
{
    if (alg == nullptr || alg->keys == nullptr) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(check(public_key, public_key_bytes, alg->public_key_bytes));
    return check(secret_key, secret_key_bytes, alg->secret_key_bytes);
}

/// Both keys of a pair, until the caller's memory takes them.
struct MadePair {
    Made<max_public_key_bytes> public_key;
    Made<max_secret_key_bytes> secret_key;
};

/// What every function that makes a key pair does around make(pair).
template <class Make>
int make_pair(const girih_alg* alg, uint8_t* public_key, size_t public_key_bytes, uint8_t* secret_key,
              size_t secret_key_bytes, Make make)
{
    Output public_out{public_key, public_key_bytes};
    Output secret_out{secret_key, secret_key_bytes};
    GIRIH_TRY(check_apart(public_out, secret_out));
    GIRIH_TRY(check_key_pair(alg, public_key, public_key_bytes, secret_key, secret_key_bytes));
    MadePair pair{Made<max_public_key_bytes>{public_key_bytes}, Made<max_secret_key_bytes>{secret_key_bytes}};
    GIRIH_TRY(make(pair));
    public_out.give(pair.public_key.view());
    secret_out.give(pair.secret_key.view());
    return GIRIH_OK;
}

}  // namespace girih::api
