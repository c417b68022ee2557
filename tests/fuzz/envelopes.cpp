/// JWS, COSE_Sign1 and notes: an envelope that is parsed verifies only with a key of its algorithm,
/// and its payload and kid survive; any other is refused in a line.
#include "envelopes/envelopes.hpp"

#include <algorithm>

#include "fuzz/honest.hpp"

namespace girih::fuzz {
namespace {

using namespace envelopes;

void check_error(const key_files::Error& error)
{
    require(!error.message.empty() && error.message.size() < 1000, "a message is a line");
    require(std::ranges::all_of(error.message, [](char c) { return c >= ' ' && c <= '~'; }),
            "a message can be shown");
}

const key_files::PrivateKey& key()
{
    static const auto made = key_files::from_seed(girih_algorithm("ML-DSA-44"), ByteString(32, 7)).value();
    return made;
}

/// A payload and a kid come back from the envelope that they are put into.
void check_round_trip(Form form, const Envelope& parsed, const key_files::PublicKey& public_key)
{
    const Bytes payload = parsed.payload.value_or(parsed.signature);
    const Options options{form, !parsed.payload, parsed.kid, {}, true, parsed.time.value_or(0)};
    const auto made = sign(key(), payload_of(payload), options);
    if (!made)
        return check_error(made.error());  // a kid that no text is, or a note's text that is no checkpoint
    const auto again = parse(*made, options, public_key);
    require(again && again->kid.has_value() && (!parsed.kid || again->kid == parsed.kid), "a kid comes back");
    require(payload.empty() || again->payload == (options.detached ? std::optional<Bytes>() : payload),
            "a payload comes back");
    const auto good = verify(*again, public_key, payload_of(payload), options);
    require(good && *good, "what is signed verifies");
}

}  // namespace

/// A first byte that says the form, then the envelope.
void check_input(Input input)
{
    const Form form = static_cast<Form>(input.byte() % 4);
    const key_files::PublicKey public_key{key().alg, key().public_key};
    const auto envelope = parse(input.rest(), {form}, public_key);
    if (!envelope) return check_error(envelope.error());
    require(girih_has_mu(envelope->alg) == 1, "an envelope says which ML-DSA");
    const auto good = verify(*envelope, public_key, payload_of(envelope->payload.value_or(Bytes{})), {form});
    const bool is_signed = form != Form::note || envelope->kid;
    require(static_cast<bool>(good) == (envelope->alg == key().alg && is_signed),
            "the key says the algorithm");
    if (!good) check_error(good.error());
    check_round_trip(form, *envelope, public_key);
}

}  // namespace girih::fuzz
