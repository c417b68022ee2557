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
            return "an argument is missing: a pointer or the algorithm is null, or a key was moved from";
        case GIRIH_ERROR_LENGTH:
            return "the length of a seed, mu, ciphertext or shared secret does not fit the algorithm";
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
        case GIRIH_ERROR_MEMORY:
            return "there is too little memory";
        case GIRIH_ERROR_ALGORITHM:
            return "the algorithm lacks this function, or a prepared key belongs to another algorithm";
        case GIRIH_ERROR_OPTION:
            return "a reserved option is not 0, or Falcon was asked for a deterministic signature";
        case GIRIH_ERROR_ALIGNMENT:
            return "the memory for a prepared key is not aligned to 64 bytes";
        case GIRIH_ERROR_MESSAGE:
            return "the message in pieces is missing, was not begun, has ended, or was begun for another "
                   "function";
        case GIRIH_ERROR_PUBLIC_KEY_LENGTH:
            return "the length of the public key does not fit the algorithm";
        case GIRIH_ERROR_SECRET_KEY_LENGTH:
            return "the length of the secret key does not fit the algorithm";
        case GIRIH_ERROR_CAPACITY:
            return "the buffer for a signature, a message or a prepared key is too small";
        case GIRIH_ERROR_ENGINE:
            return "no engine of that name runs on this processor";
        default:
            return "not an error of girih";
    }
}

}  // namespace girih::api
