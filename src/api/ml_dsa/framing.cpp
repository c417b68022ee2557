#include "api/ml_dsa/framing.hpp"

#include "api/signing.hpp"

namespace girih::ml_dsa_api {

using namespace api;

int make_framing(const girih_alg& alg, const girih_options& options, Framing& framing)
{
    framing.pre_hash.reset();
    framing.frame = ml_dsa::Frame::none();
    GIRIH_TRY(check_reserved(options));
    if (!is_there(options.context, options.context_bytes)) return GIRIH_ERROR_ARGUMENT;
    if (options.context_bytes > ml_dsa::max_context_bytes) return GIRIH_ERROR_CONTEXT;
    if (!alg.has_context) {
        if (options.context_bytes != 0) return GIRIH_ERROR_CONTEXT;
        return options.pre_hash == nullptr ? GIRIH_OK : GIRIH_ERROR_PRE_HASH;
    }
    const BytesIn<> context = view(options.context, options.context_bytes);
    if (options.pre_hash == nullptr) {
        framing.frame = ml_dsa::Frame::with(context);
        return GIRIH_OK;
    }
#if defined(GIRIH_WITHOUT_PRE_HASH)
    return GIRIH_ERROR_PRE_HASH;
#else
    const std::optional<std::size_t> index = ml_dsa::pre_hash_index(options.pre_hash);
    if (!index) return GIRIH_ERROR_PRE_HASH;
    framing.pre_hash.emplace(*index);
    framing.oid = ml_dsa::pre_hash_oid(framing.pre_hash->function());
    framing.frame = ml_dsa::Frame::with(context, framing.oid);
    return GIRIH_OK;
#endif
}

FramedMessage::FramedMessage() = default;
FramedMessage::~FramedMessage() = default;

int frame_message(const girih_alg& alg, const girih_options* options, const uint8_t* message,
                  size_t message_bytes, FramedMessage& framed)
{
    if (!is_there(message, message_bytes)) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(make_framing(alg, or_default(options), framed.framing));
    framed.body = view(message, message_bytes);
    if (framed.framing.pre_hash) {
        framed.framing.pre_hash->update(framed.body);
        framed.body = framed.framing.pre_hash->finish(framed.digest);
    }
    return GIRIH_OK;
}

}  // namespace girih::ml_dsa_api
