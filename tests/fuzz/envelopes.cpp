/// JWS and COSE_Sign1: an envelope that is parsed verifies only with a key of its algorithm, and
/// its payload and kid survive; any other is refused in a line.
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
void check_round_trip(Form form, const Envelope& parsed)
{
    const Bytes payload = parsed.payload.value_or(parsed.signature);
    const Options options{form, !parsed.payload, parsed.kid, {}, true};
    const auto made = sign(key(), payload_of(payload), options);
    if (!made) return check_error(made.error());  // a kid that no text is
    const auto again = parse(*made, form);
    require(again && again->kid.has_value() && (!parsed.kid || again->kid == parsed.kid), "a kid comes back");
    require(payload.empty() || again->payload == (options.detached ? std::optional<Bytes>() : payload),
            "a payload comes back");
    const auto good = verify(*again, {key().alg, key().public_key}, payload_of(payload), options);
    require(good && *good, "what is signed verifies");
}

}  // namespace

/// A first byte that says the form, then the envelope.
void check_input(Input input)
{
    const Form form = static_cast<Form>(input.byte() % 3);
    const auto envelope = parse(input.rest(), form);
    if (!envelope) return check_error(envelope.error());
    require(girih_has_mu(envelope->alg) == 1, "an envelope says which ML-DSA");
    const auto good = verify(*envelope, {key().alg, key().public_key},
                             payload_of(envelope->payload.value_or(Bytes{})), {form});
    require(static_cast<bool>(good) == (envelope->alg == key().alg), "the key says the algorithm");
    if (!good) check_error(good.error());
    check_round_trip(form, *envelope);
}

}  // namespace girih::fuzz
