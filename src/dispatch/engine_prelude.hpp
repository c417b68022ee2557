/// What an engine includes before it opens its target region: the standard library, and the parts of girih that do not
/// depend on the engine and are therefore the same for all.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "keccak/task.hpp"
#include "ml_dsa/params.hpp"
#include "ml_dsa/poly.hpp"
#include "ml_dsa/residue.hpp"
#include "ml_dsa/short_factor.hpp"
#include "ntru_prime/params.hpp"
#include "ntru_prime/poly.hpp"
#include "ntru_prime/randomness.hpp"
