// The parts of a module for messages that are read in pieces: how they begin.
#include "exports.hpp"

GIRIH_EXPORT(wasm_message_bytes) std::size_t wasm_message_bytes() { return sizeof(girih_message); }

GIRIH_EXPORT(wasm_message_begin)
int wasm_message_begin(girih_message* message, const girih_alg* alg, const std::uint8_t* public_key,
                       std::size_t public_key_bytes, const std::uint8_t* context, std::size_t context_bytes)
{
    girih_options options{};
    options.context = context;
    options.context_bytes = context_bytes;
    return girih_message_begin(message, alg, public_key, public_key_bytes, &options);
}
