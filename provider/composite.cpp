#include "provider/composite.hpp"

#include <algorithm>

#include "core/random.hpp"
#include "core/wipe.hpp"
#include "isa/portable/engine.hpp"
#include "keccak/sponge.hpp"

namespace girih::provider {
namespace {

namespace der = key_files::der;

/// Prefix (Composite ML-DSA, Section 2.2).
constexpr std::string_view prefix = "CompositeAlgorithmSignatures2025";

/// The message representative M' (Section 2.2), which both halves sign.
Bytes representative(const Composite& set, BytesIn<> digest, BytesIn<> context)
{
    Bytes m(prefix.begin(), prefix.end());
    m.insert(m.end(), set.label.begin(), set.label.end());
    m.push_back(static_cast<Byte>(context.size()));
    m.insert(m.end(), context.begin(), context.end());
    m.insert(m.end(), digest.begin(), digest.end());
    return m;
}

/// The label is the context of ML-DSA's half.
girih_options options_of(const Composite& set)
{
    girih_options options{};
    options.context = reinterpret_cast<const Byte*>(set.label.data());
    options.context_bytes = set.label.size();
    return options;
}

std::shared_ptr<const Key> fail(const Provider& provider, Reason reason, const std::string& detail)
{
    provider.fail(reason, detail);
    return nullptr;
}

std::shared_ptr<const Key> key_of_halves(key_files::PrivateKey lattice, CompositeParts parts)
{
    return std::make_shared<const Key>(
        Key{std::move(lattice), key_files::PrivateForm::seed, std::move(parts)});
}

/// X-Wing's Combiner (Section 5.3). `secrets` is ML-KEM's, then X25519's.
void combine(const Key& key, BytesIn<> secrets, BytesIn<> share, BytesOut<> secret)
{
    const Composite& set = *key.composite.set;
    keccak::Sha3<isa::portable::Isa, 32>{}
        .absorb(secrets)
        .absorb(share)
        .absorb(BytesIn<>(key.public_key()).last(share.size()))
        .absorb({reinterpret_cast<const Byte*>(set.label.data()), set.label.size()})
        .squeeze(secret);
}

/// AlgorithmIdentifier, which the decoder has compared with the algorithm's.
void skip_algorithm(der::Reader& info)
{
    der::Reader algorithm = info.inside(der::sequence, "AlgorithmIdentifier");
    (void)algorithm.element(der::object_identifier, "algorithm");
    algorithm.end();
}

}  // namespace

std::shared_ptr<const Key> generate_composite(const Provider& provider, const Algorithm& algorithm)
{
    const Classical& classical = algorithm.composite->classical;
    SecretBytes both(private_key_bytes(algorithm));
    const bool is_seed = algorithm.composite->seed_bytes != 0;
    const BytesOut<> seed =
        BytesOut<>(both).first(is_seed ? both.size() : both.size() - classical.private_bytes);
    if (!os_random(seed)) {
        provider.fail(GIRIH_ERROR_RANDOM);
        return nullptr;
    }
    if (is_seed) return composite_of_private(provider, algorithm, both, {});
    const ClassicalKey fresh = new_classical_key(provider, classical);
    if (!fresh) return nullptr;
    if (!write_private(classical, fresh, BytesOut<>(both).subspan(seed.size())))
        return fail(provider, Reason::classical, "the new key has no private part");
    return composite_of_private(provider, algorithm, both, {});
}

std::shared_ptr<const Key> composite_of_public(const Provider& provider, const Algorithm& algorithm,
                                               BytesIn<> bytes)
{
    const Classical& classical = algorithm.composite->classical;
    const std::size_t lattice_bytes = bytes.size() - classical.public_bytes;
    auto lattice = key_files::check_public_key(
        {algorithm.alg(), {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(lattice_bytes)}});
    if (!lattice) return fail(provider, Reason::malformed_key, lattice.error().message);
    auto key = classical_public(provider, classical, "the public key's classical half",
                                bytes.subspan(lattice_bytes));
    if (!key) return nullptr;
    return key_of_halves({algorithm.alg(), {}, {}, std::move(lattice->bytes)},
                         {algorithm.composite, {bytes.begin(), bytes.end()}, {}, std::move(key)});
}

std::shared_ptr<const Key> composite_of_private(const Provider& provider, const Algorithm& algorithm,
                                                BytesIn<> bytes, BytesIn<> public_key)
{
    const Classical& classical = algorithm.composite->classical;
    const std::size_t seed_bytes = girih_seed_bytes(algorithm.alg());
    SecretBytes halves(bytes.begin(), bytes.end());
    if (algorithm.composite->seed_bytes != 0) {
        halves.resize(seed_bytes + classical.private_bytes);
        keccak::Shake256<isa::portable::Isa>{}.absorb(bytes).squeeze(halves);
    }
    auto lattice = key_files::from_seed(algorithm.alg(), BytesIn<>(halves).first(seed_bytes));
    if (!lattice) return fail(provider, Reason::library, lattice.error().message);
    lattice->seed = {};  // it is in the composite's private key
    auto key = classical_private(provider, classical, BytesIn<>(halves).subspan(seed_bytes));
    if (!key) return nullptr;
    Bytes both = lattice->public_key;
    both.resize(public_key_bytes(algorithm));
    if (!write_public(key, BytesOut<>(both).last(classical.public_bytes)))
        return fail(provider, Reason::classical, "the private key has no public part");
    if (!public_key.empty() && !std::ranges::equal(public_key, both))
        return fail(provider, Reason::malformed_key,
                    "the public key beside the private key belongs to another key");
    return key_of_halves(
        *std::move(lattice),
        {algorithm.composite, std::move(both), {bytes.begin(), bytes.end()}, std::move(key)});
}

std::shared_ptr<const Key> read_composite_private(const Provider& provider, const Algorithm& algorithm,
                                                  BytesIn<> bytes)
{
    // OneAsymmetricKey (RFC 5958, Section 2), whose version 2, written 1, may have a public key.
    std::optional<key_files::Error> error;
    der::Reader file(bytes, "the private key", error);
    der::Reader info = file.inside(der::sequence, "OneAsymmetricKey");
    file.end();
    const std::uint64_t version = info.number("version");
    if (!error && version > 1)
        info.fail(key_files::Problem::version, "the version of the private key is neither 0 nor 1");
    skip_algorithm(info);
    const BytesIn<> private_key = info.element(der::octet_string, "privateKey");
    if (info.next_is(der::context_constructed(0)))
        (void)info.well_formed(der::context_constructed(0), "attributes");
    BytesIn<> public_key;
    // X-Wing's private keys have none (Section 5.8.2).
    const bool may_have_public = version == 1 && algorithm.composite->seed_bytes == 0;
    const bool has_public = may_have_public && info.next_is(der::context_primitive(1));
    if (has_public) public_key = info.whole_bytes(der::context_primitive(1), "publicKey");
    info.end();
    if (error) return fail(provider, Reason::malformed_key, error->message);
    if (private_key.empty() || (has_public && public_key.empty()))
        return fail(provider, Reason::key_length, "a half of the key pair is empty");
    return key_of_parts(provider, algorithm, {}, private_key, public_key);
}

std::shared_ptr<const Key> read_composite_public(const Provider& provider, const Algorithm& algorithm,
                                                 BytesIn<> bytes)
{
    std::optional<key_files::Error> error;
    der::Reader file(bytes, "the public key", error);
    der::Reader info = file.inside(der::sequence, "SubjectPublicKeyInfo");
    file.end();
    skip_algorithm(info);
    const BytesIn<> public_key = info.whole_bytes(der::bit_string, "subjectPublicKey");
    info.end();
    if (error) return fail(provider, Reason::malformed_key, error->message);
    return key_of_public(provider, algorithm, public_key);
}

SecretBytes composite_private_info(const Algorithm& algorithm, const Key& key)
{
    SecretBytes info;
    der::append_number(info, 0);
    key_files::append_algorithm(info, identified(algorithm));
    der::append(info, der::octet_string, key.private_key());
    return der::in_sequence(info);
}

SecretBytes composite_public_info(const Algorithm& algorithm, const Key& key)
{
    SecretBytes bits{0};  // no unused bits in the last byte
    bits.insert(bits.end(), key.public_key().begin(), key.public_key().end());
    SecretBytes info;
    key_files::append_algorithm(info, identified(algorithm));
    der::append(info, der::bit_string, bits);
    return der::in_sequence(info);
}

std::size_t sign_composite(const Provider& provider, const Key& key, BytesIn<> digest, BytesIn<> context,
                           BytesOut<> signature)
{
    const Composite& set = *key.composite.set;
    const Bytes message = representative(set, digest, context);
    const girih_options options = options_of(set);
    const SecretBytes& secret = key.parts.expanded;
    std::size_t lattice = 0;
    const int code = girih_sign(key.parts.alg, secret.data(), secret.size(), message.data(), message.size(),
                                &options, signature.data(), girih_signature_bytes(key.parts.alg), &lattice);
    if (code != GIRIH_OK) return static_cast<std::size_t>(provider.fail(code));
    const std::size_t classical =
        classical_sign(provider, set.classical, key.composite.classical, message, signature.subspan(lattice));
    if (classical == 0) wipe(signature);
    return classical == 0 ? 0 : lattice + classical;
}

std::optional<bool> verify_composite(const Provider& provider, const Key& key, BytesIn<> digest,
                                     BytesIn<> context, BytesIn<> signature)
{
    const Composite& set = *key.composite.set;
    // A shorter half is of a wrong length.
    const std::size_t lattice = std::min(signature.size(), girih_signature_bytes(key.parts.alg));
    const Bytes message = representative(set, digest, context);
    const girih_options options = options_of(set);
    const Bytes& public_key = key.parts.public_key;
    if (girih_verify(key.parts.alg, public_key.data(), public_key.size(), message.data(), message.size(),
                     &options, signature.data(), lattice) != GIRIH_OK)
        return false;
    return classical_verify(provider, set.classical, key.composite.classical, message,
                            signature.subspan(lattice));
}

bool encapsulate_composite(const Provider& provider, const Key& key, BytesOut<> ciphertext, BytesOut<> secret)
{
    wipe(secret);
    const Classical& classical = key.composite.set->classical;
    const BytesOut<> share = ciphertext.last(classical.public_bytes);
    SecretBytes secrets(secret.size() + classical.result_bytes);
    const ClassicalKey own = new_classical_key(provider, classical);
    if (!own || !write_public(own, share) ||
        !agree(provider, own, key.composite.classical, BytesOut<>(secrets).last(classical.result_bytes)))
        return false;
    const Bytes& lattice = key.parts.public_key;
    const int code =
        girih_encapsulate(key.parts.alg, nullptr, lattice.data(), lattice.size(), ciphertext.data(),
                          ciphertext.size() - share.size(), secrets.data(), secret.size());
    if (code != GIRIH_OK) return provider.fail(code) == 1;
    combine(key, secrets, share, secret);
    return true;
}

bool decapsulate_composite(const Provider& provider, const Key& key, BytesIn<> ciphertext, BytesOut<> secret)
{
    wipe(secret);
    const Classical& classical = key.composite.set->classical;
    const BytesIn<> share = ciphertext.last(classical.public_bytes);
    SecretBytes secrets(secret.size() + classical.result_bytes);
    const ClassicalKey peer = classical_public(provider, classical, "the ciphertext's share", share);
    if (!peer ||
        !agree(provider, key.composite.classical, peer, BytesOut<>(secrets).last(classical.result_bytes)))
        return false;
    const SecretBytes& lattice = key.parts.expanded;
    const int code = girih_decapsulate(key.parts.alg, lattice.data(), lattice.size(), ciphertext.data(),
                                       ciphertext.size() - share.size(), secrets.data(), secret.size());
    if (code != GIRIH_OK) return provider.fail(code) == 1;
    combine(key, secrets, share, secret);
    return true;
}

}  // namespace girih::provider
