/// An English sentence about each error.
#pragma once

#include <girih/girih.h>

namespace girih::api {

inline const char* error_text(int error)
{
    switch (error) {
        case GIRIH_OK:
            return "no error";
        case GIRIH_ERROR_ARGUMENT:
            return "a pointer or an algorithm is missing, the algorithm is of another kind, or an option is "
                   "unknown";
        case GIRIH_ERROR_LENGTH:
            return "a buffer's length does not fit the algorithm";
        case GIRIH_ERROR_CONTEXT:
            return "the context is over 255 bytes, or the algorithm takes none";
        case GIRIH_ERROR_PRE_HASH:
            return "the pre-hash is unknown, or the algorithm takes none";
        case GIRIH_ERROR_SECRET_KEY:
            return "the secret key is malformed";
        case GIRIH_ERROR_KEY_MISMATCH:
            return "the parts of the key contradict each other";
        case GIRIH_ERROR_SIGNATURE:
            return "the signature does not verify";
        case GIRIH_ERROR_RANDOM:
            return "the source of randomness failed";
        case GIRIH_ERROR_ATTEMPTS:
            return "signing gave up after too many rejected attempts";
        case GIRIH_ERROR_PUBLIC_KEY:
            return "the public key is malformed";
        case GIRIH_ERROR_OVERLAP:
            return "two outputs share memory, or an output lies where it may not";
        case GIRIH_ERROR_FAULT:
            return "a result failed its own check: the processor or the memory erred";
        case GIRIH_ERROR_ENGINE:
            return "no engine of that name runs on this processor";
        default:
            return "not an error of girih";
    }
}

}  // namespace girih::api
