/// The operations of every scheme: where their inputs come from, what shows their outputs to be
/// right, and how they are raced.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "lab/operations/contender.hpp"

namespace girih::lab {

/// What the inputs of an algorithm's operations are made from.
struct Material {
    std::string algorithm;
    const Contender& maker;  ///< makes the keys, signatures and ciphertexts that others are shown
    Strings messages{};      ///< a set that everybody signs with one key

    struct KeyPair {
        Bytes public_key, secret_key;
    };
    [[nodiscard]] KeyPair key(const Bytes& seed) const;
    /// What the maker makes; it throws where that fails.
    [[nodiscard]] Strings made(const std::string& operation, const Strings& inputs) const;
};

/// An operation on what others made, and what comes out of it if they are right.
struct Proof {
    std::string operation;
    Strings inputs, outputs;
    std::string failure;  ///< what is said of those for whom it does not
};

struct Operation {
    std::string name;
    Strings (*inputs)(const Material&, Random&, std::size_t count);  ///< of so many operations
    /// What a peer that lacks the operation is measured by, best first, in the same group.
    std::vector<std::string> stand_ins{};
    /// On fresh keys every round, so many; 0: all messages of the set, with its one key.
    std::size_t batch = 8;
    /// How many are timed together at most, and at least: one call for a whole batch is timed as
    /// that.
    std::size_t turn = 8, smallest_turn = 1;
    /// Whether everybody makes the same outputs of the same inputs; if not, they are only shown to
    /// others.
    bool is_same = true;
    Proof (*shown)(const Material&, const Strings& inputs, const Strings& outputs) = nullptr;

    [[nodiscard]] bool signs_the_set() const { return batch == 0; }
    [[nodiscard]] bool verifies() const { return name.starts_with("verify"); }
    [[nodiscard]] bool decapsulates() const { return name.starts_with("decapsulate"); }
};

/// Operations that are raced in the same rounds, so that a stand-in is measured once.
using Group = std::vector<Operation>;

/// The operations that peers may have.
[[nodiscard]] std::vector<Group> operations_of(const std::string& algorithm);

/// Those that only girih has: on keys, and signing fresh messages with a fresh key.
[[nodiscard]] Group own_operations(const std::string& algorithm);

/// Of all that girih has, the one of this name.
[[nodiscard]] Operation operation_of(const std::string& algorithm, const std::string& name);

/// The algorithms that race, in families.
struct Family {
    std::string name;  ///< what --only calls it; two may have one name
    bool signs;
    std::vector<std::string> algorithms;
    std::vector<std::string> on_request{};  ///< that race only if they are named
};
[[nodiscard]] const std::vector<Family>& families();

/// The messages of C2SP's CCTV for an algorithm, in the folder of vectors; none if there are none.
[[nodiscard]] Strings representative_messages(const std::string& algorithm, const std::string& vectors);

}  // namespace girih::lab
