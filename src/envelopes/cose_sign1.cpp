#include <string>

#include "envelopes/forms.hpp"
#include "key_files/akp.hpp"
#include "key_files/encoding/cbor.hpp"

namespace girih::envelopes::cose {
namespace {

namespace akp = key_files::akp;
namespace cbor = key_files::cbor;

constexpr std::uint64_t sign1_tag = 18;                    // RFC 9052, Table 1
enum Label : std::int64_t { alg = 1, crit = 2, kid = 4 };  // RFC 9052, Table 3
constexpr std::string_view context = "Signature1";

/// Reads a header. The algorithm has to be in the protected one, which is read first.
void read_header(cbor::Reader& reader, std::string_view name, bool is_protected, Envelope& envelope)
{
    reader.entries(name, [&](std::int64_t label) {
        const std::string place = " in " + std::string(name);
        if (label == crit)
            reader.fail(Problem::member, "crit" + place + ": girih supports no critical headers");
        if (label == alg && !is_protected)
            reader.fail(Problem::member, "alg" + place + ", where nothing is signed");
        if (label == alg) envelope.alg = akp::algorithm_of(reader);
        if (label == kid) {
            if (envelope.kid)
                reader.fail(Problem::member, "kid" + place + ", as well as in the protected header");
            envelope.kid = owned(reader.byte_string("kid"));
        }
        return label == alg || label == kid;
    });
}

}  // namespace

Envelope parse(BytesIn<> file)
{
    cbor::Reader reader(file, "the COSE_Sign1");
    if (reader.next_is(cbor::tag) && reader.head(cbor::tag, "the tag") != sign1_tag)
        reader.fail(Problem::cbor, "a tag other than COSE_Sign1's, which is 18");
    if (reader.head(cbor::array, "COSE_Sign1") != 4) reader.fail(Problem::cbor, "COSE_Sign1 has four items");
    Envelope envelope{};
    envelope.signed_header = owned(reader.byte_string("the protected header"));
    cbor::Reader inside(envelope.signed_header, "the protected header");
    if (!envelope.signed_header.empty()) read_header(inside, "the protected header", true, envelope);
    inside.end();
    if (envelope.alg == nullptr)
        key_files::refuse(Problem::member, "the protected header: alg (1) is missing");
    read_header(reader, "the unprotected header", false, envelope);
    if (!reader.take(cbor::null)) envelope.payload = owned(reader.byte_string("the payload"));
    envelope.signature = owned(reader.byte_string("the signature"));
    reader.end();
    return envelope;
}

SecretBytes header(const girih_alg* algorithm, BytesIn<> key_id)
{
    SecretBytes out;
    cbor::append_head(out, cbor::map, 2);
    cbor::append_number(out, alg);
    cbor::append_number(out, akp::number_of(algorithm));
    cbor::append_number(out, kid);
    cbor::append_bytes(out, key_id);
    return out;
}

SecretBytes write(const Envelope& envelope)
{
    SecretBytes out;
    cbor::append_head(out, cbor::tag, sign1_tag);
    cbor::append_head(out, cbor::array, 4);
    cbor::append_bytes(out, envelope.signed_header);
    cbor::append_head(out, cbor::map, 0);
    if (envelope.payload)
        cbor::append_bytes(out, *envelope.payload);
    else
        out.push_back(cbor::null);
    cbor::append_bytes(out, envelope.signature);
    return out;
}

SecretBytes before_payload(BytesIn<> protected_header, BytesIn<> external_aad, std::uint64_t payload_bytes)
{
    SecretBytes out;
    cbor::append_head(out, cbor::array, 4);
    cbor::append_head(out, cbor::text, context.size());
    out.insert(out.end(), context.begin(), context.end());
    cbor::append_bytes(out, protected_header);
    cbor::append_bytes(out, external_aad);
    cbor::append_head(out, cbor::bytes, payload_bytes);
    return out;
}

}  // namespace girih::envelopes::cose
