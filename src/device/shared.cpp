/// Shared by all functions: the sponge, checks of arguments, randomness.
#include "device/algorithm.hpp"

extern "C" [[gnu::weak]] int girih_device_random(uint8_t* out, size_t bytes);

namespace girih::keccak {

template class SpongeOf<device::Isa, ChosenFunction>;

}  // namespace girih::keccak

namespace girih::device {

namespace {

bool shares_a_byte(const Piece& piece, std::span<const Piece> others)
{
    for (const Piece& other : others)
        if (overlap(piece.data, piece.bytes, other.data, other.bytes)) return true;
    return false;
}

}  // namespace

int check_apart(std::span<const Piece> pieces, std::size_t outputs)
{
    for (std::size_t i = 0; i < outputs; ++i)
        if (shares_a_byte(pieces[i], pieces.subspan(i + 1))) return GIRIH_ERROR_OVERLAP;
    return GIRIH_OK;
}

int check_apart(std::span<const Piece> pieces, std::size_t outputs, const girih_options* options)
{
    if (options != nullptr) {
        const std::array given{Piece{options, sizeof *options},
                               Piece{options->context, options->context_bytes},
                               Piece{options->random, sizeof *options->random}};
        for (const Piece& output : pieces.first(outputs))
            if (shares_a_byte(output, given)) return GIRIH_ERROR_OVERLAP;
    }
    return check_apart(pieces, outputs);
}

int finish(int error, Byte* output, std::size_t bytes)
{
    if (error != GIRIH_OK && output != nullptr) wipe_memory(output, bytes);
    return error;
}

int finish(int error, const SignCall& call, std::size_t made)
{
    if (error != GIRIH_OK) made = 0;
    if (call.signature != nullptr) wipe_memory(call.signature + made, call.capacity - made);
    if (call.signature_bytes != nullptr) *call.signature_bytes = made;
    return error;
}

int check_options(const girih_alg& alg, const girih_options* options)
{
    if (options == nullptr) return GIRIH_OK;
    GIRIH_TRY(check_reserved(*options));
    if (!is_there(options->context, options->context_bytes)) return GIRIH_ERROR_ARGUMENT;
    if (options->context_bytes > (alg.has_context ? ml_dsa::max_context_bytes : 0))
        return GIRIH_ERROR_CONTEXT;
    return options->pre_hash == nullptr ? GIRIH_OK : GIRIH_ERROR_PRE_HASH;
}

int draw(const girih_random* random, BytesOut<> out)
{
    if (random == nullptr) {
        const bool is_good =
            girih_device_random != nullptr && girih_device_random(out.data(), out.size()) == 0;
        return is_good ? GIRIH_OK : GIRIH_ERROR_RANDOM;
    }
    const bool is_known = random->piecewise == 0 || random->piecewise == 1;
    const bool is_good =
        is_known && random->fill != nullptr && random->fill(random->state, out.data(), out.size()) == 0;
    return is_good ? GIRIH_OK : GIRIH_ERROR_RANDOM;
}

BegunMessage& begin_message(girih_message* message, const girih_alg& alg, BegunMessage::Purpose purpose)
{
    auto* const begun = new (message) BegunMessage{};
    begun->mark = BegunMessage::begun;
    begun->alg = &alg;
    begun->purpose = purpose;
    return *begun;
}

BegunMessage* begun_message(girih_message* message, BegunMessage::Purpose purpose)
{
    if (message == nullptr || message->opaque[0] != BegunMessage::begun) return nullptr;
    auto* const begun = std::launder(reinterpret_cast<BegunMessage*>(message));
    return begun->purpose == purpose ? begun : nullptr;
}

}  // namespace girih::device
