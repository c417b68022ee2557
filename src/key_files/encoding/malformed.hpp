/// Decoders of JSON and CBOR: their errors, and copies of what is not secret.
#pragma once

#include <girih/key_files.hpp>

#include <string>
#include <utility>

namespace girih::key_files {

/// Thrown inside a decoder, and caught by `caught`.
struct Malformed {
    Error error;
};

[[noreturn]] inline void refuse(Problem problem, std::string message, std::size_t byte = Error::nowhere)
{
    throw Malformed{{problem, std::move(message), byte}};
}

template <class View>
Bytes owned(const View& bytes)
{
    return {bytes.begin(), bytes.end()};
}

/// The value that `read` returns, or the error that it throws.
template <class Read>
auto caught(Read read) -> Result<decltype(read())>
{
    try {
        return read();
    } catch (Malformed& malformed) {
        return std::move(malformed.error);
    }
}

}  // namespace girih::key_files
