#include "lab/operations/operations.hpp"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace girih::lab {

Strings Material::made(const std::string& operation, const Strings& inputs) const
{
    auto outputs = maker.outputs(algorithm, operation, inputs);
    if (!outputs) throw std::runtime_error(maker.name + ", " + algorithm + ": " + operation + " fails");
    return *std::move(outputs);
}

Material::KeyPair Material::key(const Bytes& seed) const
{
    Strings keys = made("keygen", {seed});
    return {std::move(keys.at(0)), std::move(keys.at(1))};
}

namespace {

constexpr std::size_t seed_bytes = 32;
/// How many keys or signatures one call for many of them gets.
constexpr std::size_t many = 32;
/// How many messages one call signs: more, since its last few cannot run side by side.
constexpr std::size_t many_to_sign = 256;

void append(Strings& all, Strings more)
{
    all.insert(all.end(), std::move_iterator{more.begin()}, std::move_iterator{more.end()});
}

/// The inputs of single operations, one after another: each with a key of its own.
template <Strings (*inputs)(const Material&, Random&, std::size_t)>
Strings each_alone(const Material& material, Random& random, std::size_t count)
{
    Strings all;
    for (std::size_t i = 0; i < count; ++i) append(all, inputs(material, random, 1));
    return all;
}

Strings seeds(const Material&, Random& random, std::size_t count)
{
    Strings all;
    for (std::size_t i = 0; i < count; ++i) all.push_back(random.bytes(seed_bytes));
    return all;
}

Strings messages(const Material& material, Random& random, std::size_t count)
{
    Strings all;
    for (std::size_t i = 0; i < count; ++i) all.push_back(random.bytes(material.message_bytes));
    return all;
}

Strings messages_of_the_set(const Material& material, Random&, std::size_t count)
{
    const Bytes seed(seed_bytes);
    Strings inputs{material.key(seed).secret_key, seed};
    for (std::size_t i = 0; i < std::min(count, material.messages.size()); ++i)
        inputs.push_back(material.messages[i]);
    return inputs;
}

Strings fresh_messages(const Material& material, Random& random, std::size_t count)
{
    const Bytes seed = random.bytes(seed_bytes);
    Strings inputs{material.key(seed).secret_key, seed};
    append(inputs, messages(material, random, count));
    return inputs;
}

Strings signatures_of_one_key(const Material& material, Random& random, std::size_t count)
{
    const Bytes seed = random.bytes(seed_bytes);
    const auto [public_key, secret_key] = material.key(seed);
    Strings signing{secret_key, seed};
    append(signing, messages(material, random, count));
    const Strings signatures = material.made("sign", signing);
    Strings inputs;
    for (std::size_t i = 0; i < count; ++i) append(inputs, {public_key, signing[i + 2], signatures[i]});
    return inputs;
}

Proof signatures_verify(const Material& material, const Strings& signing, const Strings& signatures)
{
    Proof proof{"verify", {}, {}, "rejects its signature"};
    const Bytes public_key = material.key(signing[1]).public_key;
    for (std::size_t i = 0; i < signatures.size(); ++i)
        append(proof.inputs, {public_key, signing[i + 2], signatures[i]});
    return proof;
}

/// Key pairs are right if the public key verifies what the secret key signs.
Proof keys_belong_together(const Material& material, const Strings& seeds_of_keys, const Strings& keys)
{
    Proof proof{"verify", {}, {}, "rejects a signature of its key pair"};
    for (std::size_t i = 0; i < seeds_of_keys.size(); ++i) {
        const Bytes& message = seeds_of_keys[i];
        append(proof.inputs,
               {keys[2 * i], message, material.made("sign", {keys[2 * i + 1], message, message}).at(0)});
    }
    return proof;
}

/// The seed of the key pair that encapsulations from `seed` use, to find the secret key by.
Bytes seed_of_keys(Bytes seed)
{
    for (Byte& byte : seed) byte = static_cast<Byte>(~byte);
    return seed;
}

/// The key pair is made from the first seed.
Strings encapsulations_with_one_key(const Material& material, Random& random, std::size_t count)
{
    const Strings drawn = seeds(material, random, count);
    const Bytes public_key = material.key(seed_of_keys(drawn[0])).public_key;
    Strings inputs;
    for (const Bytes& seed : drawn) append(inputs, {public_key, seed});
    return inputs;
}

Strings ciphertexts_of_one_key(const Material& material, Random& random, std::size_t count)
{
    const Strings encapsulating = encapsulations_with_one_key(material, random, count);
    const Bytes secret_key = material.key(seed_of_keys(encapsulating[1])).secret_key;
    const Strings made = material.made("encapsulate", encapsulating);
    Strings inputs;
    for (std::size_t i = 0; i < made.size(); i += 2) append(inputs, {secret_key, made[i]});
    return inputs;
}

Proof secrets_are_shared(const Material& material, const Strings& encapsulating, const Strings& made)
{
    Proof proof{"decapsulate", {}, {}, "decapsulates another shared secret"};
    Bytes secret_key;
    for (std::size_t i = 0; i < made.size(); i += 2) {
        if (i == 0 || encapsulating[i] != encapsulating[i - 2])
            secret_key = material.key(seed_of_keys(encapsulating[i + 1])).secret_key;
        append(proof.inputs, {secret_key, made[i]});
        proof.outputs.push_back(made[i + 1]);
    }
    return proof;
}

Strings public_keys(const Material& material, Random& random, std::size_t count)
{
    Strings keys;
    for (const Bytes& seed : seeds(material, random, count)) keys.push_back(material.key(seed).public_key);
    return keys;
}

Strings secret_keys(const Material& material, Random& random, std::size_t count)
{
    Strings keys;
    for (const Bytes& seed : seeds(material, random, count)) keys.push_back(material.key(seed).secret_key);
    return keys;
}

bool is_falcon(const std::string& algorithm) { return algorithm.starts_with("Falcon"); }
bool is_ml_kem(const std::string& algorithm) { return algorithm.starts_with("ML-KEM"); }
bool signs(const std::string& algorithm)
{
    return algorithm.starts_with("ML-DSA") || algorithm.starts_with("Dil") || is_falcon(algorithm);
}

/// One call for a whole batch.
Operation in_one_call(Operation operation, const std::string& name, std::vector<std::string> stand_ins,
                      std::size_t count = many)
{
    operation.name = name;
    operation.stand_ins = std::move(stand_ins);
    if (operation.batch != 0) operation.batch = count;
    operation.turn = operation.smallest_turn = count;
    return operation;
}

std::vector<Group> signing_operations(const std::string& algorithm)
{
    const bool falcon = is_falcon(algorithm);
    // Each Falcon library maps seeds to keys in its own way, and signs with randomness.
    Operation keygen{.name = "keygen", .inputs = seeds};
    if (falcon) keygen = {.name = "keygen", .inputs = seeds, .is_same = false, .shown = keys_belong_together};
    const Operation sign{.name = "sign",
                         .inputs = messages_of_the_set,
                         .batch = 0,
                         .is_same = !falcon,
                         .shown = signatures_verify};
    Operation sign_prepared = sign;
    sign_prepared.name = "sign prepared";
    sign_prepared.stand_ins = {"sign"};
    const Operation verify{.name = "verify", .inputs = each_alone<signatures_of_one_key>};
    const Operation verify_prepared{
        .name = "verify prepared", .inputs = signatures_of_one_key, .stand_ins = {"verify"}};
    return {falcon ? Group{keygen} : Group{keygen, in_one_call(keygen, "keygen_many", {"keygen"})},
            {sign, sign_prepared,
             in_one_call(sign, "sign_many prepared", {"sign prepared", "sign"}, many_to_sign)},
            {verify, verify_prepared, in_one_call(verify, "verify_many", {"verify"}),
             in_one_call(verify_prepared, "verify_many prepared", {"verify prepared", "verify"})}};
}

std::vector<Group> encapsulating_operations(bool has_prepared_keys)
{
    // These are short: in a batch of eight, the time that a processor takes to power up its widest
    // vectors would be a fifth.
    Operation keygen{.name = "keygen", .inputs = seeds};
    if (has_prepared_keys) keygen.batch = keygen.turn = many;
    const Operation encapsulate{.name = "encapsulate",
                                .inputs = each_alone<encapsulations_with_one_key>,
                                .batch = many,
                                .turn = many,
                                .shown = secrets_are_shared};
    const Operation decapsulate{
        .name = "decapsulate", .inputs = each_alone<ciphertexts_of_one_key>, .batch = many, .turn = many};
    std::vector<Group> groups{
        {keygen, in_one_call(keygen, "keygen_many", {"keygen"})}, {encapsulate}, {decapsulate}};
    if (!has_prepared_keys) return groups;
    for (Group* group : {&groups[1], &groups[2]}) {
        const Operation plain = group->front();
        Operation prepared = plain;
        prepared.name += " prepared";
        prepared.stand_ins = {plain.name};
        prepared.inputs = plain.decapsulates() ? ciphertexts_of_one_key : encapsulations_with_one_key;
        group->push_back(prepared);
        group->push_back(in_one_call(plain, plain.name + "_many", {plain.name}));
        group->push_back(in_one_call(prepared, plain.name + "_many prepared", {prepared.name, plain.name}));
    }
    return groups;
}

}  // namespace

std::vector<Group> operations_of(const std::string& algorithm)
{
    return signs(algorithm) ? signing_operations(algorithm) : encapsulating_operations(is_ml_kem(algorithm));
}

Group own_operations(const std::string& algorithm)
{
    Group own{{.name = "public key", .inputs = secret_keys},
              {.name = "prepare public key", .inputs = public_keys},
              {.name = "prepare secret key", .inputs = secret_keys}};
    if (!signs(algorithm)) return own;
    for (const char* name : {"sign", "sign prepared", "sign_many prepared"})
        own.push_back({.name = name, .inputs = fresh_messages, .shown = signatures_verify});
    if (is_falcon(algorithm)) {
        own.push_back({.name = "reference keygen", .inputs = seeds});
        own.push_back({.name = "keygen_many", .inputs = seeds});
    }
    return own;
}

Operation operation_of(const std::string& algorithm, const std::string& name)
{
    for (const Operation& operation : own_operations(algorithm))
        if (operation.name == name) return operation;
    for (const Group& group : operations_of(algorithm))
        for (const Operation& operation : group)
            if (operation.name == name) return operation;
    throw std::invalid_argument(algorithm + " has no operation " + name);
}

const std::vector<Family>& families()
{
    static const std::vector<Family> all{
        {"signatures", true, {"ML-DSA-44", "ML-DSA-65", "ML-DSA-87"}},
        {"falcon", true, {"Falcon-padded-512", "Falcon-padded-1024"}},
        {"kem", false, {"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"}},
        {"kem",
         false,
         {"sntrup761", "sntrup653", "sntrup857", "sntrup953", "sntrup1013", "sntrup1277", "ntrulpr761"},
         {"ntrulpr653", "ntrulpr857", "ntrulpr953", "ntrulpr1013", "ntrulpr1277"}}};
    return all;
}

Strings representative_messages(const std::string& algorithm, const std::string& vectors)
try {
    std::ifstream file{vectors + "/cctv/benchmark-" + algorithm + ".json"};
    Strings messages;
    for (const std::string& text : nlohmann::json::parse(file).get<std::vector<std::string>>())
        messages.emplace_back(text.begin(), text.end());
    return messages;
} catch (const nlohmann::json::exception&) {
    return {};
}

}  // namespace girih::lab
