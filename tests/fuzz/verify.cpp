/// Signatures of every scheme: all engines give one verdict, changed signatures are refused, and
/// a decoder accepts only what the encoder writes.
#include <optional>

#include "api/algorithms/algorithm.hpp"
#include "api/falcon/tables.hpp"
#include "falcon/encoding/signature.hpp"
#include "fuzz/honest.hpp"
#include "isa/portable/engine.hpp"
#include "ml_dsa/encoding/keys_and_signatures.hpp"
#include "support/at_place.hpp"
#include "support/operations.hpp"

namespace girih::fuzz {
namespace {

using Portable = isa::portable::Isa;

template <ml_dsa::Params P>
void check_encoding_of(const ByteString& signature)
{
    if (signature.size() != P.signature_bytes()) return;
    ml_dsa::Signature<P.shape()> decoded;
    if (!ml_dsa::sig_decode<P.shape(), Portable>(P, BytesIn<>{signature}, decoded)) return;
    ByteString again(signature.size());
    std::array<ml_dsa::MaskBytes<P.shape()>, P.l> z;
    for (std::size_t j = 0; j < P.l; ++j)
        ml_dsa::bit_pack<P.z_bits(), P.gamma1, Portable>(decoded.z[j], z[j]);
    ml_dsa::sig_encode<P.shape(), Portable>(decoded.c_tilde, z, decoded.h, again);
    require(again == signature, "a signature that decodes is what its parts encode to");
}

template <falcon::Params P>
void check_encoding_of(const ByteString& signature)
{
    constexpr std::size_t head = 1 + falcon::salt_bytes;
    if (signature.size() < head || signature.size() > P.signature_bytes()) return;
    const BytesIn<> encoded = BytesIn<>(signature).subspan(head);
    falcon::ShortPoly<P.n()> s2;
    if (!falcon::decode_s2<P.shape(), Portable>(P.format, encoded, s2)) return;
    ByteString again(encoded.size());
    require(falcon::encode_s2<P.shape(), Portable>(P.format, s2, again) == encoded.size() &&
                std::ranges::equal(again, encoded),
            "an s2 that decodes is what it encodes to");
}

/// Checks the encoding with the algorithm's parameter set among these.
template <const auto& sets>
void check_encoding(const girih_alg* alg, const ByteString& signature)
{
    test::at_place<sets.size()>(alg->index, [&](auto place) { check_encoding_of<sets[place]>(signature); });
}

void check_encoding(const girih_alg* alg, const ByteString& signature)
{
    if (alg->signing == &falcon_api::signing)
        check_encoding<falcon::parameter_sets>(alg, signature);
    else
        check_encoding<ml_dsa::parameter_sets>(alg, signature);
}

/// The result of girih_verify.
int verdict(const girih_alg* alg, const ByteString& public_key, const ByteString& signature)
{
    if (alg->signing == &falcon_api::signing)
        return agreed("engines give one verdict", [&](const engines::Engine& engine) -> int {
            switch (test::falcon_on(engine, alg->index).verify(public_key.data(), message, signature)) {
                case falcon::Verdict::good:
                    return GIRIH_OK;
                case falcon::Verdict::bad:
                    return GIRIH_ERROR_SIGNATURE;
                case falcon::Verdict::malformed_key:
                    break;
            }
            return GIRIH_ERROR_PUBLIC_KEY;
        });
    if (signature.size() != girih_signature_bytes(alg)) return GIRIH_ERROR_SIGNATURE;
    const auto frame = alg->has_context ? ml_dsa::Frame::with(BytesIn<>{}) : ml_dsa::Frame::none();
    return agreed("engines give one verdict", [&](const engines::Engine& engine) -> int {
        const auto& run = test::ml_dsa_on(engine, alg->index);
        return run.verify(public_key.data(), frame, message, signature.data()) ? GIRIH_OK
                                                                               : GIRIH_ERROR_SIGNATURE;
    });
}

}  // namespace

void check_input(Input input)
{
    const Honest& key = honest(input.byte(), is_signer);
    const Byte mode = input.byte();
    const bool of_public_key = (mode & other) != 0;
    const ByteString public_key = of_public_key ? changed(key.public_key, mode, input) : key.public_key;
    const ByteString signature = of_public_key ? key.signature : changed(key.signature, mode, input);
    const int code = call(girih_verify, key.alg, public_key, message, nullptr, signature);
    if (public_key.size() != key.public_key.size())
        return require(code == GIRIH_ERROR_PUBLIC_KEY_LENGTH, "a public key has one length");
    require(code == verdict(key.alg, public_key, signature), "girih_verify says what engines do");
    if (public_key == key.public_key)
        require((code == GIRIH_OK) == (signature == key.signature), "the signature and no other verifies");
    check_encoding(key.alg, signature);
}

}  // namespace girih::fuzz
