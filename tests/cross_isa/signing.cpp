#include "cross_isa/operations.hpp"

namespace girih::test {
namespace {

bool is_falcon(const girih_alg* alg) { return girih_has_mu(alg) == 0; }

/// verify(signature) accepts it, and refuses it with a bit flipped.
template <class Verify>
void expect_verdicts(ByteString signature, Numbers& numbers, Verify verify)
{
    for (const int error : {GIRIH_OK, GIRIH_ERROR_SIGNATURE}) {
        EXPECT_EQ(verify(signature), error);
        damage(signature, numbers);
    }
}

/// mu of a message that `begin` begins with a key.
template <class Begin>
ByteString mu_by(Begin begin, const girih_alg* alg, const ByteString& key, SignatureInput& input)
{
    girih_message m;
    ByteString mu(GIRIH_MU_BYTES);
    EXPECT_EQ(call(begin, &m, alg, key, &input.options()), GIRIH_OK);
    EXPECT_EQ(call(girih_message_update, &m, input.message), GIRIH_OK);
    EXPECT_EQ(call(girih_message_mu, &m, mu), GIRIH_OK);
    return mu;
}

void run_mu_operations(const Signer& signer, SignatureInput& input, const ByteString& signature,
                       Numbers& numbers, Outputs& out)
{
    const auto& [pk, sk] = signer.keys;
    const ByteString message_mu = mu_by(girih_message_begin, signer.alg, pk, input);
    out.add("girih_message_mu", message_mu);
    EXPECT_EQ(mu_by(girih_message_begin_secret, signer.alg, sk, input), message_mu);
    EXPECT_EQ(verify_mu(signer.alg, pk, message_mu, signature), GIRIH_OK);

    const ByteString mu = numbers.bytes(GIRIH_MU_BYTES);
    const ByteString of_mu = sign_mu(signer.alg, sk, mu, input.options(false));
    out.add("girih_sign_mu", of_mu);
    EXPECT_EQ(signature_by(girih_sign_mu_prepared, signer.alg, signer.signing, mu, &input.options(false)),
              of_mu);
    EXPECT_EQ(verify_mu(signer.alg, pk, mu, of_mu), GIRIH_OK);
    expect_verdicts(of_mu, numbers, [&](const ByteString& damaged) {
        return call(girih_verify_mu_prepared, signer.verifying, mu, damaged);
    });
}

void run_falcon_operations(const Signer& signer, SignatureInput& input, const ByteString& signature,
                           Outputs& out)
{
    const girih_alg* const alg = signer.alg;
    const auto& [pk, sk] = signer.keys;
    const ByteString& message = input.message;
    girih_message m;
    EXPECT_EQ(call(girih_message_begin_signing, &m, alg, &input.options()), GIRIH_OK);
    EXPECT_EQ(call(girih_message_update, &m, message), GIRIH_OK);
    const ByteString streamed = signature_by(girih_message_sign, alg, &m, sk, nullptr);
    out.add("girih_message_sign", streamed);
    EXPECT_EQ(call(girih_message_begin_verifying, &m, alg, signature, nullptr), GIRIH_OK);
    EXPECT_EQ(call(girih_message_update, &m, message), GIRIH_OK);
    EXPECT_EQ(call(girih_message_verify, &m, pk, signature), GIRIH_OK);
    EXPECT_EQ(verify(alg, pk, message, streamed), GIRIH_OK);
    if (girih_name(alg) != std::string{"Falcon-512"} && girih_name(alg) != std::string{"Falcon-1024"}) return;

    ByteString whole(message.size() + girih_signature_bytes(alg) + 2);
    ByteString opened(whole.size());
    std::size_t bytes = 0;
    EXPECT_EQ(call(girih_crypto_sign, alg, sk, message, &input.options(), whole, &bytes), GIRIH_OK);
    whole.resize(bytes);
    out.add("girih_crypto_sign", whole);
    EXPECT_EQ(call(girih_crypto_sign_open, alg, pk, whole, opened, &bytes), GIRIH_OK);
    opened.resize(bytes);
    EXPECT_EQ(opened, message);
}

/// One signature, by every operation that makes or verifies one.
void run_operations_on(const Signer& signer, SignatureInput& input, Numbers& numbers, Outputs& out)
{
    const ByteString signature = sign_alone(signer, input);
    out.add("girih_sign", signature);
    EXPECT_EQ(sign_prepared(signer, input), signature);
    expect_verdicts(signature, numbers, [&](const ByteString& damaged) {
        const int error = verify(signer.alg, signer.keys.public_key, input.message, damaged, input.options());
        EXPECT_EQ(call(girih_verify_prepared, signer.verifying, input.message, &input.options(), damaged),
                  error);
        return error;
    });
    if (!is_falcon(signer.alg))
        run_mu_operations(signer, input, signature, numbers, out);
    else if (input.message.size() % 5 == 0)
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
        rows.push_back(row_of<girih_verify_row>(is_prepared ? signer.verifying : nullptr,
                                                is_prepared ? BytesIn<>{} : BytesIn<>{signer.keys.public_key},
                                                inputs[i].message, &inputs[i].options(), signatures[i]));
    }
    (void)call(girih_verify_many, signers[0]->alg, rows);
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
    EXPECT_EQ(call(girih_prepare_signing_key, alg, keys.secret_key, signing_memory_, &signing), GIRIH_OK);
    EXPECT_EQ(call(girih_prepare_verifying_key, alg, keys.public_key, verifying_memory_, &verifying),
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
    return signature_by(girih_sign, signer.alg, signer.alg, signer.keys.secret_key, input.message,
                        &input.options());
}

ByteString sign_prepared(const Signer& signer, SignatureInput& input)
{
    return signature_by(girih_sign_prepared, signer.alg, signer.signing, input.message, &input.options());
}

std::vector<ByteString> sign_in_a_batch(const std::vector<const Signer*>& signers,
                                        std::vector<SignatureInput>& inputs, bool is_prepared)
{
    const girih_alg* const alg = signers[0]->alg;
    std::vector<ByteString> signatures(inputs.size(), ByteString(girih_signature_bytes(alg)));
    std::vector<girih_sign_row> rows;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const Signer& signer = *signers[i % signers.size()];
        rows.push_back(row_of<girih_sign_row>(is_prepared ? signer.signing : nullptr,
                                              is_prepared ? BytesIn<>{} : BytesIn<>{signer.keys.secret_key},
                                              inputs[i].message, &inputs[i].options(), signatures[i],
                                              std::size_t{0}));
    }
    EXPECT_EQ(call(girih_sign_many, alg, rows), GIRIH_OK);
    for (std::size_t i = 0; i < rows.size(); ++i) signatures[i].resize(rows[i].signature_bytes);
    return signatures;
}

void run_key_operations(const girih_alg* alg, const ByteString& seed, const KeyPair& keys)
{
    Replay replay{seed};
    for (const auto keygen : {girih_keygen, girih_keygen_checked}) {
        const girih_random random = replay.rewound();
        EXPECT_EQ(keys_by(keygen, alg, &random), keys);
    }
    ByteString public_key(keys.public_key.size());
    EXPECT_EQ(call(girih_public_key, alg, keys.secret_key, public_key), GIRIH_OK);
    EXPECT_EQ(public_key, keys.public_key);
}

void run_signature_operations(const girih_alg* alg, const SignatureRuns& runs, Numbers& numbers, Outputs& out)
{
    for (std::size_t k = 0; k < runs.signers; ++k) {
        const ByteString seed = numbers.bytes(girih_seed_bytes(alg));
        const Signer signer{alg, key_pair(alg, seed)};
        out.add("girih_keygen_from_seed", signer.keys);
        if (is_falcon(alg))
            out.add("girih_falcon_reference_keygen", keys_by(girih_falcon_reference_keygen, alg, seed));
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
