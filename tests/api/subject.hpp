/// An algorithm, with something good of all that its functions take.
#pragma once

#include <girih/girih.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/functions.hpp"
#include "support/bytes.hpp"

namespace girih::test {

/// Every algorithm, and every one that verifies only.
inline std::vector<const girih_alg*> all_algorithms()
{
    std::vector<const girih_alg*> all{
        girih_ml_dsa_44_verifying(),         girih_ml_dsa_65_verifying(),
        girih_ml_dsa_87_verifying(),         girih_dilithium2_verifying(),
        girih_dilithium3_verifying(),        girih_dilithium5_verifying(),
        girih_falcon_512_verifying(),        girih_falcon_1024_verifying(),
        girih_falcon_padded_512_verifying(), girih_falcon_padded_1024_verifying(),
        girih_falcon_ct_512_verifying(),     girih_falcon_ct_1024_verifying()};
    for (std::size_t i = 0; girih_algorithm_at(i) != nullptr; ++i) all.push_back(girih_algorithm_at(i));
    return all;
}

constexpr bool is_source(Content c) { return c == Content::random || c == Content::unasked_random; }
constexpr bool is_options(Content c)
{
    return c >= Content::signing_options && c <= Content::verifying_options;
}
constexpr bool is_prepared(Content c) { return c >= Content::signing_key && c <= Content::decapsulation_key; }
constexpr bool is_begun(Content c) { return c >= Content::begun; }

constexpr std::size_t alignment_of(Content c)
{
    if (is_prepared(c)) return GIRIH_PREPARED_ALIGNMENT;
    const bool is_plain = c < Content::length || c == Content::context || c == Content::pre_hash;
    return is_plain ? 1 : alignof(girih_message);
}

inline void must(int error)
{
    if (error == GIRIH_OK) return;
    std::fprintf(stderr, "%s\n", girih_error_text(error));
    std::abort();
}

/// How keys are prepared: from a public or a secret key.
struct PreparedKind {
    Content from;
    std::size_t (*size)(const girih_alg*);
    int (*prepare)(const girih_alg*, const uint8_t*, std::size_t, void*, std::size_t);
};
template <auto prepare, class Key>
int prepare_in(const girih_alg* alg, const uint8_t* from, std::size_t bytes, void* memory, std::size_t room)
{
    Key* key = nullptr;
    const int error = prepare(alg, from, bytes, memory, room, &key);
    return error == GIRIH_OK && static_cast<void*>(key) != memory ? 1 : error;
}
inline const PreparedKind& prepared_kind(Content c)
{
    static constexpr PreparedKind kinds[]{
        {Content::secret_key, girih_signing_key_size,
         prepare_in<girih_prepare_signing_key, girih_signing_key>},
        {Content::public_key, girih_verifying_key_size,
         prepare_in<girih_prepare_verifying_key, girih_verifying_key>},
        {Content::public_key, girih_encapsulation_key_size,
         prepare_in<girih_prepare_encapsulation_key, girih_encapsulation_key>},
        {Content::secret_key, girih_decapsulation_key_size,
         prepare_in<girih_prepare_decapsulation_key, girih_decapsulation_key>}};
    return kinds[static_cast<int>(c) - static_cast<int>(Content::signing_key)];
}

class Subject {
  public:
    const girih_alg* const alg;
    const girih_alg* const full = girih_algorithm(girih_name(alg));
    /// How often the source of randomness was asked.
    mutable int asked = 0;

    /// A blank one has zeros for everything, and needs no engine.
    explicit Subject(const girih_alg* algorithm, bool is_blank = false) : alg(algorithm)
    {
        contents_ = {{Content::seed, counting(girih_seed_bytes(alg))},
                     {Content::public_key, ByteString(girih_public_key_bytes(alg))},
                     {Content::secret_key, ByteString(girih_secret_key_bytes(alg))},
                     {Content::message, counting(message_bytes, 3)},
                     {Content::mu, counting(GIRIH_MU_BYTES, 5)},
                     {Content::signature, ByteString(girih_signature_bytes(alg))},
                     {Content::mu_signature, ByteString(girih_signature_bytes(alg))},
                     {Content::ciphertext, ByteString(girih_ciphertext_bytes(alg))},
                     {Content::shared_secret, ByteString(girih_shared_secret_bytes(alg))},
                     {Content::signed_message, ByteString(room(Content::signed_message))},
                     {Content::length, ByteString(sizeof(std::size_t))},
                     {Content::pointer, ByteString(sizeof(void*))},
                     {Content::context, counting(100, 7)},
                     {Content::pre_hash, {'S', 'H', 'A', '3', '-', '5', '1', '2', 0}}};
        if (!is_blank) fill_contents();
        contents_[Content::opened_message] = ByteString(bytes(Content::signed_message).size());
        for (auto& [content, bytes] : contents_)
            if (bytes.empty()) bytes.assign(64, 0x11);  // for what is of no use to the algorithm
    }
    Subject(const Subject&) = delete;
    Subject& operator=(const Subject&) = delete;

    [[nodiscard]] std::string name() const
    {
        return girih_name(alg) + std::string(alg == full ? "" : "-verifying");
    }
    [[nodiscard]] bool is_kem() const { return girih_is_kem(alg) != 0; }
    [[nodiscard]] bool has_mu() const { return girih_has_mu(alg) != 0; }
    [[nodiscard]] bool is_falcon() const { return !is_kem() && !has_mu(); }
    [[nodiscard]] bool is_ml_kem() const { return std::string_view{girih_name(alg)}.starts_with("ML-KEM"); }

    [[nodiscard]] bool can(Ability ability) const
    {
        const std::string_view called = girih_name(alg);
        const bool has_framed = called == "Falcon-512" || called == "Falcon-1024";
        using enum Ability;
        const std::map<Ability, bool> abilities{
            {make_keys, true},         {reference_keys, is_falcon()}, {sign, !is_kem()},
            {sign_mu, has_mu()},       {sign_pieces, is_falcon()},    {sign_framed, has_framed},
            {verify, !is_kem()},       {verify_mu, has_mu()},         {verify_pieces, is_falcon()},
            {open_framed, has_framed}, {encapsulate, is_kem()},       {prepare_kem, is_ml_kem()}};
        const bool is_verified = ability >= verify && ability <= open_framed;
        return abilities.at(ability) && (alg == full || is_verified);
    }
    /// Whether it has such a prepared key, or such a message.
    [[nodiscard]] bool has(Content c) const
    {
        using enum Ability;
        const std::map<Content, Ability> needed{{Content::signing_key, sign},
                                                {Content::verifying_key, verify},
                                                {Content::encapsulation_key, prepare_kem},
                                                {Content::decapsulation_key, prepare_kem},
                                                {Content::begun, verify},
                                                {Content::begun_for_mu, verify_mu},
                                                {Content::begun_to_sign, sign_pieces},
                                                {Content::begun_to_verify, verify_pieces}};
        const auto found = needed.find(c);
        return found == needed.end() || can(found->second);
    }
    /// Whether such options have a context and a pre-hash.
    [[nodiscard]] bool has_frame(Content c) const
    {
        return girih_has_context(alg) != 0 &&
               (c == Content::signing_options || c == Content::verifying_options);
    }

    [[nodiscard]] const ByteString& bytes(Content c) const { return contents_.at(c); }
    /// Of what stands there.
    [[nodiscard]] std::size_t size(Content c) const
    {
        if (is_source(c)) return sizeof(girih_random);
        if (is_options(c)) return sizeof(girih_options);
        if (is_begun(c)) return sizeof(girih_message);
        if (is_prepared(c))
            return std::max<std::size_t>(prepared_kind(c).size(alg), GIRIH_PREPARED_ALIGNMENT);
        return bytes(c).size();
    }
    /// Of what has room there: signatures differ in length.
    [[nodiscard]] std::size_t room(Content c) const
    {
        const std::size_t signature = std::max<std::size_t>(girih_signature_bytes(alg), 64);
        if (c == Content::signature) return signature;
        if (c == Content::signed_message) return message_bytes + signature + 2;
        return size(c);
    }

    /// Puts it there. (Of options, the context and the pre-hash are the caller's.)
    void put(Content c, Byte* place) const
    {
        if (is_source(c))
            new (place) girih_random{source_};
        else if (is_options(c))
            new (place) girih_options{nullptr, 0, nullptr, 0, &source_, 0, {}};
        else if (is_prepared(c))
            must(prepare(c, place));
        else if (is_begun(c))
            begin(c, *new (place) girih_message);
        else
            std::ranges::copy(bytes(c), place);
    }

    /// What an output is good for: of a prepared key or a begun message, what it makes; else the
    /// bytes. (Where a key stands does not count.)
    [[nodiscard]] ByteString seen(Content c, Byte* place, std::size_t size) const
    {
        if (c == Content::pointer) return {};
        if (is_begun(c)) return finished(c, *reinterpret_cast<girih_message*>(place));
        if (is_prepared(c)) return made_with(c, place);
        return {place, place + size};
    }

  private:
    static constexpr std::size_t message_bytes = 200;

    static int fill(void* state, std::uint8_t* out, std::size_t bytes)
    {
        ++*static_cast<int*>(state);
        for (std::size_t i = 0; i < bytes; ++i) out[i] = static_cast<std::uint8_t>(7 * i + 1);
        return 0;
    }

    void fill_contents()
    {
        ByteString& pk = contents_[Content::public_key];
        ByteString& sk = contents_[Content::secret_key];
        const ByteString& seed = bytes(Content::seed);
        must(girih_keygen_from_seed(full, seed.data(), seed.size(), pk.data(), pk.size(), sk.data(),
                                    sk.size()));
        const ByteString& message = bytes(Content::message);
        std::size_t length = 0;
        if (is_kem()) {
            ByteString& ciphertext = contents_[Content::ciphertext];
            ByteString& secret = contents_[Content::shared_secret];
            return must(girih_encapsulate(alg, &source_, pk.data(), pk.size(), ciphertext.data(),
                                          ciphertext.size(), secret.data(), secret.size()));
        }
        if (girih_has_context(alg) != 0) {
            options_.context = bytes(Content::context).data();
            options_.context_bytes = bytes(Content::context).size();
            options_.pre_hash = reinterpret_cast<const char*>(bytes(Content::pre_hash).data());
        }
        ByteString& signature = contents_[Content::signature];
        must(girih_sign(full, sk.data(), sk.size(), message.data(), message.size(), &options_,
                        signature.data(), signature.size(), &length));
        signature.resize(length);
        if (has_mu()) {
            const ByteString& mu = bytes(Content::mu);
            ByteString& of_mu = contents_[Content::mu_signature];
            must(girih_sign_mu(full, sk.data(), sk.size(), mu.data(), mu.size(), nullptr, of_mu.data(),
                               of_mu.size(), &length));
        }
        if (can(Ability::open_framed)) {
            ByteString& framed = contents_[Content::signed_message];
            must(girih_crypto_sign(full, sk.data(), sk.size(), message.data(), message.size(), &options_,
                                   framed.data(), framed.size(), &length));
            framed.resize(length);
        }
    }

    int prepare(Content c, Byte* place) const
    {
        const PreparedKind& kind = prepared_kind(c);
        const ByteString& from = bytes(kind.from);
        return kind.prepare(alg, from.data(), from.size(), place, kind.size(alg));
    }

    /// With the whole message.
    void begin(Content c, girih_message& message) const
    {
        const ByteString& pk = bytes(Content::public_key);
        const ByteString& signature = bytes(Content::signature);
        if (c == Content::begun_for_mu || (c == Content::begun && has_mu()))
            must(girih_message_begin(&message, alg, pk.data(), pk.size(), &options_));
        else if (c == Content::begun_to_sign)
            must(girih_message_begin_signing(&message, alg, &options_));
        else
            must(girih_message_begin_verifying(&message, alg, signature.data(), signature.size(), &options_));
        const ByteString& all = bytes(Content::message);
        must(girih_message_update(&message, all.data(), all.size()));
    }

    [[nodiscard]] ByteString finished(Content c, girih_message message) const
    {
        const ByteString& all = bytes(Content::message);
        const ByteString& pk = bytes(Content::public_key);
        const ByteString& sk = bytes(Content::secret_key);
        const ByteString& signature = bytes(Content::signature);
        ByteString made(room(Content::signature));
        std::size_t length = 0;
        must(girih_message_update(&message, all.data(), all.size()));
        if (c == Content::begun_for_mu)
            must(girih_message_mu(&message, made.data(), GIRIH_MU_BYTES));
        else if (c == Content::begun_to_sign)
            must(girih_message_sign(&message, sk.data(), sk.size(), nullptr, made.data(), made.size(),
                                    &length));
        else
            must(girih_message_verify(&message, pk.data(), pk.size(), signature.data(), signature.size()));
        return made;
    }

    [[nodiscard]] ByteString made_with(Content c, Byte* place) const
    {
        const ByteString& message = bytes(Content::message);
        const ByteString& signature = bytes(Content::signature);
        ByteString made(std::max(room(Content::signature), size(Content::ciphertext)));
        ByteString secret(size(Content::shared_secret));
        std::size_t length = 0;
        if (c == Content::signing_key)
            must(girih_sign_prepared(reinterpret_cast<girih_signing_key*>(place), message.data(),
                                     message.size(), &options_, made.data(), made.size(), &length));
        else if (c == Content::verifying_key)
            must(girih_verify_prepared(reinterpret_cast<girih_verifying_key*>(place), message.data(),
                                       message.size(), &options_, signature.data(), signature.size()));
        else if (c == Content::encapsulation_key)
            must(girih_encapsulate_prepared(reinterpret_cast<girih_encapsulation_key*>(place), &source_,
                                            made.data(), size(Content::ciphertext), secret.data(),
                                            secret.size()));
        else
            must(girih_decapsulate_prepared(reinterpret_cast<girih_decapsulation_key*>(place),
                                            bytes(Content::ciphertext).data(), size(Content::ciphertext),
                                            secret.data(), secret.size()));
        made.insert(made.end(), secret.begin(), secret.end());
        return made;
    }

    girih_random source_{fill, &asked, 0};
    girih_options options_{nullptr, 0, nullptr, 0, &source_, 0, {}};
    std::map<Content, ByteString> contents_;
};

}  // namespace girih::test
