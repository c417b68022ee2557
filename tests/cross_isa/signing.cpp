#include "cross_isa/signing.hpp"

namespace girih::test {
namespace {

bool is_falcon(const girih_alg* alg) { return girih_has_mu(alg) == 0; }

/// The signature that call(memory, its size, the signature's size) writes.
template <class Call>
ByteString signature_of(const girih_alg* alg, const Call& call)
{
    ByteString signature(girih_signature_bytes(alg));
    std::size_t bytes = 0;
    EXPECT_EQ(call(signature.data(), signature.size(), &bytes), GIRIH_OK);
    signature.resize(bytes);
    return signature;
}

void run_mu_operations(const Signer& signer, SignatureInput& input, const ByteString& signature,
                       Numbers& numbers, Outputs& out)
{
    const KeyPair& keys = signer.keys;
    const ByteString& message = input.message;
    std::vector<ByteString> mus(2, ByteString(GIRIH_MU_BYTES));
    girih_message m;
    EXPECT_EQ(
        girih_message_begin(&m, signer.alg, keys.public_key.data(), keys.public_key.size(), &input.options()),
        GIRIH_OK);
    EXPECT_EQ(girih_message_update(&m, message.data(), message.size()), GIRIH_OK);
    EXPECT_EQ(girih_message_mu(&m, mus[0].data(), mus[0].size()), GIRIH_OK);
    EXPECT_EQ(girih_message_begin_secret(&m, signer.alg, keys.secret_key.data(), keys.secret_key.size(),
                                         &input.options()),
              GIRIH_OK);
    EXPECT_EQ(girih_message_update(&m, message.data(), message.size()), GIRIH_OK);
    EXPECT_EQ(girih_message_mu(&m, mus[1].data(), mus[1].size()), GIRIH_OK);
    out.add("girih_message_mu", mus[0]);
    EXPECT_EQ(mus[1], mus[0]);
    EXPECT_EQ(verify_mu(signer.alg, keys.public_key, mus[0], signature), GIRIH_OK);

    const ByteString mu = numbers.bytes(GIRIH_MU_BYTES);
    const ByteString of_mu = sign_mu(signer.alg, keys.secret_key, mu, input.options(false));
    out.add("girih_sign_mu", of_mu);
    const auto sign_mu_prepared = [&](Byte* to, std::size_t size, std::size_t* bytes) {
        return girih_sign_mu_prepared(signer.signing, mu.data(), mu.size(), &input.options(false), to, size,
                                      bytes);
    };
    EXPECT_EQ(signature_of(signer.alg, sign_mu_prepared), of_mu);
    EXPECT_EQ(verify_mu(signer.alg, keys.public_key, mu, of_mu), GIRIH_OK);
    ByteString damaged = of_mu;
    for (const int error : {GIRIH_OK, GIRIH_ERROR_SIGNATURE}) {
        EXPECT_EQ(
            girih_verify_mu_prepared(signer.verifying, mu.data(), mu.size(), damaged.data(), damaged.size()),
            error);
        flip(damaged, static_cast<std::size_t>(numbers.between(0, 8 * static_cast<int>(of_mu.size()) - 1)));
    }
}

void run_falcon_operations(const Signer& signer, SignatureInput& input, const ByteString& signature,
                           Outputs& out)
{
    const girih_alg* const alg = signer.alg;
    const KeyPair& keys = signer.keys;
    const ByteString& message = input.message;
    girih_message m;
    const auto sign_message = [&](Byte* to, std::size_t size, std::size_t* bytes) {
        EXPECT_EQ(girih_message_begin_signing(&m, alg, &input.options()), GIRIH_OK);
        EXPECT_EQ(girih_message_update(&m, message.data(), message.size()), GIRIH_OK);
        return girih_message_sign(&m, keys.secret_key.data(), keys.secret_key.size(), nullptr, to, size,
                                  bytes);
    };
    const ByteString streamed = signature_of(alg, sign_message);
    out.add("girih_message_sign", streamed);
    EXPECT_EQ(girih_message_begin_verifying(&m, alg, signature.data(), signature.size(), nullptr), GIRIH_OK);
    EXPECT_EQ(girih_message_update(&m, message.data(), message.size()), GIRIH_OK);
    EXPECT_EQ(girih_message_verify(&m, keys.public_key.data(), keys.public_key.size(), signature.data(),
                                   signature.size()),
              GIRIH_OK);
    EXPECT_EQ(verify(alg, keys.public_key, message, streamed), GIRIH_OK);
    if (girih_name(alg) != std::string{"Falcon-512"} && girih_name(alg) != std::string{"Falcon-1024"}) return;

    ByteString whole(message.size() + girih_signature_bytes(alg) + 2);
    ByteString opened(whole.size());
    std::size_t bytes = 0;
    EXPECT_EQ(girih_crypto_sign(alg, keys.secret_key.data(), keys.secret_key.size(), message.data(),
                                message.size(), &input.options(), whole.data(), whole.size(), &bytes),
              GIRIH_OK);
    whole.resize(bytes);
    out.add("girih_crypto_sign", whole);
    EXPECT_EQ(girih_crypto_sign_open(alg, keys.public_key.data(), keys.public_key.size(), whole.data(),
                                     whole.size(), opened.data(), opened.size(), &bytes),
              GIRIH_OK);
    opened.resize(bytes);
    EXPECT_EQ(opened, message);
}

/// One signature, by every operation that makes or verifies one.
void run_operations_on(const Signer& signer, SignatureInput& input, Numbers& numbers, Outputs& out)
{
    const ByteString& message = input.message;
    const ByteString signature = sign_alone(signer, input);
    out.add("girih_sign", signature);
    EXPECT_EQ(sign_prepared(signer, input), signature);
    ByteString damaged = signature;
    for (const int error : {GIRIH_OK, GIRIH_ERROR_SIGNATURE}) {
        EXPECT_EQ(verify(signer.alg, signer.keys.public_key, message, damaged, input.options()), error);
        EXPECT_EQ(girih_verify_prepared(signer.verifying, message.data(), message.size(), &input.options(),
                                        damaged.data(), damaged.size()),
                  error);
        flip(damaged, static_cast<std::size_t>(numbers.between(0, 8 * static_cast<int>(damaged.size()) - 1)));
    }
    if (!is_falcon(signer.alg))
        run_mu_operations(signer, input, signature, numbers, out);
    else if (message.size() % 5 == 0)
        run_falcon_operations(signer, input, signature, out);
}

/// Every third signature is damaged, and refused.
void expect_verdicts_in_a_batch(const std::vector<const Signer*>& signers,
                                std::vector<SignatureInput>& inputs, std::vector<ByteString> signatures,
                                bool is_prepared)
{
    std::vector<girih_verify_row> rows;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const Signer& signer = *signers[i % signers.size()];
        if (i % 3 == 2) flip(signatures[i], 8 * (i % signatures[i].size()));
        girih_verify_row row{nullptr,
                             nullptr,
                             0,
                             inputs[i].message.data(),
                             inputs[i].message.size(),
                             &inputs[i].options(),
                             signatures[i].data(),
                             signatures[i].size(),
                             -1};
        if (is_prepared) {
            row.key = signer.verifying;
        } else {
            row.public_key = signer.keys.public_key.data();
            row.public_key_bytes = signer.keys.public_key.size();
        }
        rows.push_back(row);
    }
    (void)girih_verify_many(signers[0]->alg, rows.data(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        EXPECT_EQ(rows[i].result, i % 3 == 2 ? GIRIH_ERROR_SIGNATURE : GIRIH_OK) << "row " << i;
}

/// Batches of fewer rows than lanes, of as many, and of more; of one key, and of two in turns.
void run_batches(const std::vector<std::size_t>& counts, const Signer& first, const Signer& second,
                 Numbers& numbers, Outputs& out)
{
    for (const std::size_t count : counts) {
        std::vector<SignatureInput> inputs;
        for (std::size_t i = 0; i < count; ++i)
            inputs.emplace_back(first.alg, numbers, i == 4 ? 2000 : 40 * i, i);
        const std::vector<const Signer*> one{&first};
        const std::vector<const Signer*> two{&first, &first, &first, &second, &first};
        for (const auto& [signers, is_prepared] : {std::pair{one, true}, {two, true}, {one, false}}) {
            const auto signatures = sign_in_a_batch(signers, inputs, is_prepared);
            for (std::size_t i = 0; i < count; ++i) {
                EXPECT_EQ(signatures[i], sign_prepared(*signers[i % signers.size()], inputs[i]))
                    << "row " << i;
                out.add("girih_sign_many", signatures[i]);
            }
            expect_verdicts_in_a_batch(signers, inputs, signatures, is_prepared);
        }
    }
}

}  // namespace

Signer::Signer(const girih_alg* of, KeyPair pair)
    : alg(of),
      keys(std::move(pair)),
      signing_memory_{girih_signing_key_size(of)},
      verifying_memory_{girih_verifying_key_size(of)}
{
    EXPECT_EQ(girih_prepare_signing_key(alg, keys.secret_key.data(), keys.secret_key.size(),
                                        signing_memory_.data(), signing_memory_.size(), &signing),
              GIRIH_OK);
    EXPECT_EQ(girih_prepare_verifying_key(alg, keys.public_key.data(), keys.public_key.size(),
                                          verifying_memory_.data(), verifying_memory_.size(), &verifying),
              GIRIH_OK);
}

SignatureInput::SignatureInput(const girih_alg* alg, Numbers& numbers, std::size_t bytes, std::size_t number)
    : message(numbers.bytes(bytes)),
      is_deterministic_(!is_falcon(alg) && number % 2 == 0),
      replay_(numbers.bytes(is_falcon(alg) ? 88 : 64))
{
    if (girih_has_context(alg) == 0) return;
    context_ = numbers.bytes(number % 256);
    if (number % 8 == 7) pre_hash_ = girih_pre_hash_at(number / 8 % 12);
}

const girih_options& SignatureInput::options(bool is_framed)
{
    random_ = replay_.rewound();
    options_ = {};
    options_.deterministic = is_deterministic_ ? 1 : 0;
    options_.random = is_deterministic_ ? nullptr : &random_;
    if (is_framed) {
        options_.context = context_.data();
        options_.context_bytes = context_.size();
        options_.pre_hash = pre_hash_;
    }
    return options_;
}

ByteString sign_alone(const Signer& signer, SignatureInput& input)
{
    return signature_of(signer.alg, [&](Byte* to, std::size_t size, std::size_t* bytes) {
        return girih_sign(signer.alg, signer.keys.secret_key.data(), signer.keys.secret_key.size(),
                          input.message.data(), input.message.size(), &input.options(), to, size, bytes);
    });
}

ByteString sign_prepared(const Signer& signer, SignatureInput& input)
{
    return signature_of(signer.alg, [&](Byte* to, std::size_t size, std::size_t* bytes) {
        return girih_sign_prepared(signer.signing, input.message.data(), input.message.size(),
                                   &input.options(), to, size, bytes);
    });
}

std::vector<ByteString> sign_in_a_batch(const std::vector<const Signer*>& signers,
                                        std::vector<SignatureInput>& inputs, bool is_prepared)
{
    const girih_alg* const alg = signers[0]->alg;
    std::vector<ByteString> signatures(inputs.size(), ByteString(girih_signature_bytes(alg)));
    std::vector<girih_sign_row> rows;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const Signer& signer = *signers[i % signers.size()];
        const BytesIn<> secret_key = signer.keys.secret_key;
        rows.push_back({is_prepared ? signer.signing : nullptr, is_prepared ? nullptr : secret_key.data(),
                        is_prepared ? 0 : secret_key.size(), inputs[i].message.data(),
                        inputs[i].message.size(), &inputs[i].options(), signatures[i].data(),
                        signatures[i].size(), 0, -1});
    }
    EXPECT_EQ(girih_sign_many(alg, rows.data(), rows.size()), GIRIH_OK);
    for (std::size_t i = 0; i < rows.size(); ++i) signatures[i].resize(rows[i].signature_bytes);
    return signatures;
}

void run_key_operations(const girih_alg* alg, const ByteString& seed, const KeyPair& keys)
{
    Replay replay{seed};
    for (const auto keygen : {girih_keygen, girih_keygen_checked}) {
        const KeyPair again = keys_by(keygen, alg, replay.rewound());
        EXPECT_EQ(again.public_key, keys.public_key);
        EXPECT_EQ(again.secret_key, keys.secret_key);
    }
    ByteString public_key(keys.public_key.size());
    EXPECT_EQ(girih_public_key(alg, keys.secret_key.data(), keys.secret_key.size(), public_key.data(),
                               public_key.size()),
              GIRIH_OK);
    EXPECT_EQ(public_key, keys.public_key);
}

void run_signature_operations(const girih_alg* alg, const SignatureRuns& runs, Numbers& numbers, Outputs& out)
{
    for (std::size_t k = 0; k < runs.signers; ++k) {
        const ByteString seed = numbers.bytes(girih_seed_bytes(alg));
        const Signer signer{alg, key_pair(alg, seed)};
        out.add("girih_keygen_from_seed", signer.keys);
        if (is_falcon(alg)) {
            KeyPair keys = room_for_keys(alg);
            EXPECT_EQ(girih_falcon_reference_keygen(alg, seed.data(), seed.size(), keys.public_key.data(),
                                                    keys.public_key.size(), keys.secret_key.data(),
                                                    keys.secret_key.size()),
                      GIRIH_OK);
            out.add("girih_falcon_reference_keygen", keys);
        }
        for (std::size_t i = 0; i < runs.signatures; ++i) {
            const std::size_t number = k * runs.signatures + i;
            SignatureInput input{alg, numbers, number * 37 % 3000, number};
            run_operations_on(signer, input, numbers, out);
        }
        if (k % 20 != 0) continue;
        run_key_operations(alg, seed, signer.keys);
        std::vector<ByteString> seeds(is_falcon(alg) ? 2 : 11);
        for (ByteString& of : seeds) of = numbers.bytes(seed.size());
        const std::vector<KeyPair> made = keys_in_a_batch(alg, seeds);
        for (const KeyPair& pair : made) out.add("girih_keygen_many", pair);
        run_batches(runs.batches, signer, Signer{alg, made[1]}, numbers, out);
    }
}

}  // namespace girih::test
