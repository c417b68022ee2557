#include <optional>

#include "api/ml_dsa/framing.hpp"
#include "api/ml_dsa/messages.hpp"
#include "api/ml_dsa/tables.hpp"
#include "api/signing.hpp"
#include "ml_dsa/encoding/message.hpp"

namespace girih::ml_dsa_api {

using namespace api;

namespace {

/// The content of girih_message between begin and mu.
struct MessageStorage {
    BegunMessage common;
    std::optional<PreHash> pre_hash;

    void finish(BytesOut<> mu)
    {
        if (pre_hash) {
            PreHash::Digest digest;
            common.hash.absorb(pre_hash->finish(digest));
        }
        common.hash.squeeze(mu);
    }
};

const ml_dsa::Params& params_of(const girih_alg& alg) { return ml_dsa::parameter_sets[alg.index]; }

int begin_message(MessageOut& out, const girih_alg& alg, BytesIn<> tr, const girih_options* options)
{
    Framing framing;
    GIRIH_TRY(make_framing(alg, or_default(options), framing));
    out.write(
        MessageStorage{{BegunMessage::begun, &alg, ml_dsa::begin_mu<isa::portable::Isa>(tr, framing.frame),
                        framing.pre_hash.has_value()},
                       framing.pre_hash});
    return GIRIH_OK;
}

}  // namespace

void pre_hash_piece(BegunMessage& message, BytesIn<> piece)
{
    std::launder(reinterpret_cast<MessageStorage*>(&message))->pre_hash->update(piece);
}

}  // namespace girih::ml_dsa_api

using namespace girih;
using namespace girih::api;

int girih_message_begin(girih_message* message, const girih_alg* alg, const uint8_t* public_key,
                        size_t public_key_bytes, const girih_options* options)
{
    using namespace ml_dsa_api;
    if (message == nullptr) return GIRIH_ERROR_ARGUMENT;
    MessageOut out{*message};
    GIRIH_TRY(check_has(alg, &girih_alg::verifying, verifying));
    GIRIH_TRY(check_engine());
    GIRIH_TRY(check_public_key(*alg, public_key, public_key_bytes));
    std::array<Byte, 64> tr{};
    alg->on_engine<ml_dsa::Operations>().hash_public_key(public_key, tr.data());
    return begin_message(out, *alg, BytesIn<>{tr}.first(params_of(*alg).tr_bytes), options);
}

int girih_message_begin_secret(girih_message* message, const girih_alg* alg, const uint8_t* secret_key,
                               size_t secret_key_bytes, const girih_options* options)
{
    using namespace ml_dsa_api;
    if (message == nullptr) return GIRIH_ERROR_ARGUMENT;
    MessageOut out{*message};
    GIRIH_TRY(check_has(alg, &girih_alg::signing, signing));
    GIRIH_TRY(check_engine());
    GIRIH_TRY(check_secret_key(*alg, secret_key, secret_key_bytes));
    const BytesIn<> tr = view(secret_key, secret_key_bytes)
                             .subspan(ml_dsa::rho_bytes + ml_dsa::key_bytes, params_of(*alg).tr_bytes);
    return begin_message(out, *alg, tr, options);
}

int girih_message_mu(girih_message* message, uint8_t* mu, size_t mu_bytes)
{
    using namespace ml_dsa_api;
    Output mu_out{mu, mu_bytes};
    auto* const storage = storage_as<MessageStorage>(message, verifying);
    if (storage == nullptr) return refuse(message, GIRIH_ERROR_MESSAGE, mu_out);
    if (const int error = check(mu, mu_bytes, GIRIH_MU_BYTES); error != GIRIH_OK)
        return refuse(message, error, mu_out);
    std::array<Byte, GIRIH_MU_BYTES> made;
    storage->finish(made);
    storage->~MessageStorage();
    wipe(*message);
    mu_out.write(made);
    return GIRIH_OK;
}
