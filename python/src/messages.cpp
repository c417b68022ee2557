#include <array>
#include <memory>
#include <mutex>
#include <string>

#include <nanobind/stl/unique_ptr.h>

#include "keys.hpp"
#include "lock.hpp"
#include "options.hpp"

namespace girih::python {
namespace {

/// A message that is read once, in pieces. Wiped on destruction, because signing holds a seed.
class MessageObject {
  public:
    explicit MessageObject(const girih_alg* alg) noexcept : alg_(alg) {}
    MessageObject(const MessageObject&) = delete;
    MessageObject& operator=(const MessageObject&) = delete;
    ~MessageObject() { key_files::erase(&state_, sizeof state_); }

    [[nodiscard]] const girih_alg* alg() const noexcept { return alg_; }

    /// Runs work on the state, one thread at a time, and returns its code; `ended` after work that
    /// `ends` the message, or an error.
    template <class Work>
    int run(bool ends, const Work& work)
    {
        const Unlocked unlocked;
        const std::scoped_lock lock{mutex_};
        if (ended_) return ended;
        const int code = work(&state_);
        if (ends || code != GIRIH_OK) ended_ = true;
        return code;
    }

    static constexpr int ended = 1;

  private:
    const girih_alg* alg_;
    std::mutex mutex_;
    girih_message state_{};
    bool ended_ = false;
};

void demand(int code, const char* place)
{
    if (code == MessageObject::ended) fail(GIRIH_ERROR_MESSAGE, "message", "it was ended");
    succeed(code, place);
}

std::unique_ptr<MessageObject> begin(const Algorithm& algorithm, nb::handle public_key, nb::handle context,
                                     nb::handle pre_hash)
{
    const Buffer key{public_key, "public_key", algorithm.alg, girih_public_key_bytes(algorithm.alg)};
    const Options options{algorithm.alg, context, pre_hash};
    auto message = std::make_unique<MessageObject>(algorithm.alg);
    demand(message->run(false,
                        [&](girih_message* state) {
                            return girih_message_begin(state, algorithm.alg, key.data(), key.size(),
                                                       options.get());
                        }),
           "message");
    return message;
}

std::unique_ptr<MessageObject> begin_signing(const Algorithm& algorithm, nb::handle random)
{
    const Options options{algorithm.alg, nb::none(), nb::none(), false, false, random};
    auto message = std::make_unique<MessageObject>(algorithm.alg);
    const int code = message->run(false, [&](girih_message* state) {
        return girih_message_begin_signing(state, algorithm.alg, options.get());
    });
    options.random().succeed(code, "message");
    return message;
}

std::unique_ptr<MessageObject> begin_verifying(const Algorithm& algorithm, nb::handle signature)
{
    const Buffer bytes{signature, "signature"};
    auto message = std::make_unique<MessageObject>(algorithm.alg);
    demand(message->run(false,
                        [&](girih_message* state) {
                            return girih_message_begin_verifying(state, algorithm.alg, bytes.data(),
                                                                 bytes.size(), nullptr);
                        }),
           "signature");
    return message;
}

nb::bytes sign(MessageObject& message, const KeyPair& holder, nb::handle verify_after_sign)
{
    const auto key = holder.get();
    girih_options options{};
    options.verify_after_sign = flag_of(verify_after_sign, "verify_after_sign") ? 1 : 0;
    key_files::Bytes signature(girih_signature_bytes(key->alg));
    std::size_t length = 0;
    demand(message.run(true,
                       [&](girih_message* state) {
                           return girih_message_sign(state, key->expanded.data(), key->expanded.size(),
                                                     &options, signature.data(), signature.size(), &length);
                       }),
           "sign");
    return to_bytes({signature.data(), length});
}

bool verify(MessageObject& message, nb::handle public_key, nb::handle signature)
{
    const Buffer key{public_key, "public_key", message.alg(), girih_public_key_bytes(message.alg())};
    const Buffer bytes{signature, "signature"};
    const int code = message.run(true, [&](girih_message* state) {
        return girih_message_verify(state, key.data(), key.size(), bytes.data(), bytes.size());
    });
    if (code == GIRIH_ERROR_SIGNATURE) return false;
    demand(code, "public_key");
    return true;
}

}  // namespace

void define_messages(nb::module_& module)
{
    nb::class_<MessageObject>(module, "Message")
        .def_static("begin", begin, nb::arg("algorithm"), nb::arg("public_key").none(),
                    nb::arg("context").none(), nb::arg("pre_hash").none())
        .def_static("begin_signing", begin_signing, nb::arg("algorithm"), nb::arg("random").none())
        .def_static("begin_verifying", begin_verifying, nb::arg("algorithm"), nb::arg("signature").none())
        .def(
            "update",
            [](MessageObject& self, nb::handle piece) {
                const Buffer buffer{piece, "piece"};
                demand(self.run(false,
                                [&](girih_message* state) {
                                    return girih_message_update(state, buffer.data(), buffer.size());
                                }),
                       "piece");
            },
            nb::arg("piece").none())
        .def("mu",
             [](MessageObject& self) {
                 std::array<std::uint8_t, GIRIH_MU_BYTES> mu;
                 demand(self.run(true,
                                 [&](girih_message* state) {
                                     return girih_message_mu(state, mu.data(), mu.size());
                                 }),
                        "mu");
                 return to_bytes(mu);
             })
        .def("sign", sign, nb::arg("key"), nb::arg("verify_after_sign").none())
        .def("verify", verify, nb::arg("public_key").none(), nb::arg("signature").none());
}

}  // namespace girih::python
