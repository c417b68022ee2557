/// Keys expanded for many uses: the matrix and the parts of a key, in the forms that the arithmetic
/// takes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "core/bytes.hpp"
#include "core/wipe.hpp"
#include "keccak/hash_task.hpp"
#include "keccak/task_list.hpp"
#include "ml_kem/encoding/byte_encode.hpp"
#include "ml_kem/lanes/keys.hpp"
#include "ml_kem/lanes/sampling.hpp"
#include "ml_kem/standard/hash.hpp"

namespace girih::ml_kem {

/// H(ek), A^T and t^. False if ek does not pass the modulus check (FIPS 203, Section 7.2).
template <class Isa>
[[nodiscard, gnu::noinline]] bool expand(const Params& p, BytesIn<> ek, PreparedKey& key)
{
    using Hash = keccak::HashTask<Isa>;
    keccak::TaskArray<Hash, 1> hash;
    hash.add(h_function, typename Hash::Pieces{ek}, key.h);
    MatrixTasks<Isa, 1> matrix;
    add_matrix_tasks<Isa>(p.k, ek.last<rho_bytes>(), Orientation::transposed, key.polynomials(), matrix);
    keccak::run_all<Isa>(hash, matrix);
    return decode_public_vector<Isa>(ek, {key.polynomials() + p.k * p.k, p.k});
}

template <class Isa>
[[nodiscard]] bool prepare_encapsulation_key(const Params& p, BytesIn<> ek, void* memory)
{
    return expand<Isa>(p, ek, PreparedKey::make(p, memory));
}

/// False if dk does not pass the hash check (FIPS 203, Section 7.3).
template <class Isa>
[[nodiscard, gnu::noinline]] bool prepare_decapsulation_key(const DecapsulationKeyView& dk, void* memory)
{
    dk.declassify_public_parts();
    PreparedKey& key = PreparedKey::make(dk.p, memory);
    (void)expand<Isa>(dk.p, dk.ek(), key);  // Section 7.3 requires only the hash check
    copy_secret(dk.z().data(), key.z.data(), z_bytes);
    decode_secret_vector<Isa>(dk.s_hat(), key.make_factors());
    wipe_stack_below();
    return std::ranges::equal(key.h, dk.h());
}

}  // namespace girih::ml_kem
