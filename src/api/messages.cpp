#include "api/messages.hpp"

#include "api/arguments.hpp"

using namespace girih;
using namespace girih::api;

int girih_message_update(girih_message* message, const uint8_t* piece, size_t piece_bytes)
{
    BegunMessage* const begun = begun_message(message);
    if (begun == nullptr) return GIRIH_ERROR_MESSAGE;
    if (!is_there(piece, piece_bytes)) return GIRIH_ERROR_ARGUMENT;
    if (overlap(message, sizeof *message, piece, piece_bytes)) return GIRIH_ERROR_OVERLAP;
    if (begun->is_pre_hashed)
        begun->alg->verifying->pre_hash(*begun, view(piece, piece_bytes));
    else
        begun->hash.absorb(view(piece, piece_bytes));
    return GIRIH_OK;
}
