/// Key pairs and prepared keys of any algorithm.
#pragma once

#include <girih/detail/keys.hpp>
#include <girih/key_files.hpp>

#include <memory>

#include "algorithms.hpp"
#include "buffers.hpp"

namespace girih::python {

/// A secret key with its public key, and its seed if known.
using Pair = key_files::PrivateKey;
using KeyPair = Wipeable<Pair>;

/// A prepared key with its source.
template <class Prepared>
struct PreparedOf {
    const girih_alg* alg;
    Prepared key;
};

using PreparedVerifying = PreparedOf<detail::PreparedVerifying>;
using PreparedEncapsulation = PreparedOf<detail::PreparedEncapsulation>;
using PreparedSigning = Wipeable<PreparedOf<detail::PreparedSigning>>;
using PreparedDecapsulation = Wipeable<PreparedOf<detail::PreparedDecapsulation>>;

void define_keys(nb::module_& module);

}  // namespace girih::python
