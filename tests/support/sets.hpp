/// Parameter sets as types, for tests that are templates over them: each with its place in every
/// table of its scheme.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "falcon/params.hpp"
#include "ml_dsa/params.hpp"
#include "ntru_prime/params.hpp"

namespace girih::test {

template <auto P, std::size_t index>
struct Set {
    static constexpr auto params = P;
    static constexpr std::size_t place = index;
};

using MlDsaSets =
    testing::Types<Set<ml_dsa::ml_dsa_44, 0>, Set<ml_dsa::ml_dsa_65, 1>, Set<ml_dsa::ml_dsa_87, 2>,
                   Set<ml_dsa::dilithium2, 3>, Set<ml_dsa::dilithium3, 4>, Set<ml_dsa::dilithium5, 5>>;

using FalconSets = testing::Types<Set<falcon::falcon_512, 0>, Set<falcon::falcon_1024, 1>,
                                  Set<falcon::falcon_padded_512, 2>, Set<falcon::falcon_padded_1024, 3>,
                                  Set<falcon::falcon_ct_512, 4>, Set<falcon::falcon_ct_1024, 5>>;

using StreamlinedSets = testing::Types<Set<ntru_prime::sntrup653, 0>, Set<ntru_prime::sntrup761, 1>,
                                       Set<ntru_prime::sntrup857, 2>, Set<ntru_prime::sntrup953, 3>,
                                       Set<ntru_prime::sntrup1013, 4>, Set<ntru_prime::sntrup1277, 5>>;

using KemSets = testing::Types<
    Set<ntru_prime::sntrup653, 0>, Set<ntru_prime::sntrup761, 1>, Set<ntru_prime::sntrup857, 2>,
    Set<ntru_prime::sntrup953, 3>, Set<ntru_prime::sntrup1013, 4>, Set<ntru_prime::sntrup1277, 5>,
    Set<ntru_prime::ntrulpr653, 6>, Set<ntru_prime::ntrulpr761, 7>, Set<ntru_prime::ntrulpr857, 8>,
    Set<ntru_prime::ntrulpr953, 9>, Set<ntru_prime::ntrulpr1013, 10>, Set<ntru_prime::ntrulpr1277, 11>>;

/// How tests of a set are called: as the algorithm is, `names` being those of its scheme
/// in the same order.
template <const auto& names>
struct SetNames {
    template <class T>
    static std::string GetName(int)
    {
        std::string name = names[T::place];
        std::replace(name.begin(), name.end(), '-', '_');
        return name;
    }
};

}  // namespace girih::test
