/// Entries of KeyFunctions that are the same for every scheme.
#pragma once

#include <span>

#include "api/algorithms/algorithm.hpp"

namespace girih::api {

/// The key pair of a seed, for a scheme that draws only a seed.
template <class Operations>
int keygen(const girih_alg& alg, const Byte* seed, Byte* pk, Byte* sk)
{
    alg.on_engine<Operations>().keygen(seed, pk, sk);
    return GIRIH_OK;
}

template <class Operations>
void keygen_many(const girih_alg& alg, std::span<const KeygenRow> rows)
{
    alg.on_engine<Operations>().keygen_many(rows);
}

/// The error of a secret key's check.
template <class KeyCheck>
int error_of_check(KeyCheck check)
{
    switch (check) {
        case KeyCheck::malformed:
            return GIRIH_ERROR_SECRET_KEY;
        case KeyCheck::inconsistent:
            return GIRIH_ERROR_KEY_MISMATCH;
        case KeyCheck::good:
            break;
    }
    return GIRIH_OK;
}

template <class Operations>
int public_key(const girih_alg& alg, const Byte* sk, Byte* pk)
{
    return error_of_check(alg.on_engine<Operations>().public_key(sk, pk));
}

/// Bytes of the engine's part of a prepared key.
template <class Operations, std::size_t Operations::* size>
std::size_t key_size(const girih_alg& alg)
{
    return alg.on_engine<Operations>().*size;
}

}  // namespace girih::api
