/// The operations of every scheme: where their inputs come from, how their outputs are checked,
/// and how they are raced.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "lab/operations/contender.hpp"

namespace girih::lab {

/// The source of the inputs of an algorithm's operations.
struct Material {
    std::string algorithm;
    const Contender& maker;          ///< makes the keys, signatures and ciphertexts that others are shown
    Strings messages{};              ///< a set that everybody signs with one key
    std::size_t message_bytes = 32;  ///< of messages that are not in the set

    struct KeyPair {
        Bytes public_key, secret_key;
    };
    [[nodiscard]] KeyPair key(const Bytes& seed) const;
    /// The maker's outputs of an operation; throws if it fails.
    [[nodiscard]] Strings made(const std::string& operation, const Strings& inputs) const;
};

/// A check of others' outputs: an operation on them, and the outputs that it gives if they are
/// right.
struct Proof {
    std::string operation;
    Strings inputs, outputs;
    std::string failure;  ///< the message if it gives others
};

struct Operation {
    std::string name;
    Strings (*inputs)(const Material&, Random&, std::size_t count);  ///< of `count` operations
    /// What a peer that lacks the operation runs instead: others of its group, best first.
    std::vector<std::string> stand_ins{};
    /// Operations of a round, with fresh keys; 0: all messages of the set, with its one key.
    std::size_t batch = 8;
    /// The most and the fewest operations timed together. One call for a batch is timed whole.
    std::size_t turn = 8, smallest_turn = 1;
    /// Whether everybody makes the same outputs from the same inputs; if not, outputs are only
    /// checked by others.
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

/// Operations that only girih has: on keys, and signing fresh messages with a fresh key.
[[nodiscard]] Group own_operations(const std::string& algorithm);

/// girih's operation of this name.
[[nodiscard]] Operation operation_of(const std::string& algorithm, const std::string& name);

/// The algorithms that race, in families.
struct Family {
    std::string name;  ///< the name for --only; two families may share one
    bool signs;
    std::vector<std::string> algorithms;
    std::vector<std::string> on_request{};  ///< algorithms that race only if they are named
};
[[nodiscard]] const std::vector<Family>& families();

/// The messages of C2SP's CCTV for an algorithm, in the folder of vectors; none if there are none.
[[nodiscard]] Strings representative_messages(const std::string& algorithm, const std::string& vectors);

}  // namespace girih::lab
