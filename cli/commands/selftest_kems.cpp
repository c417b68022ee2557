#include <array>

#include "cli/commands/selftest.hpp"

namespace girih::cli::selftest {
namespace {

/// The hashed results: public key, secret key, and ciphertext and shared secret from the random
/// bytes 20 21 ... 3f. The ML-KEM keys are RFC 9935's examples.
constexpr std::array<KnownAnswer, 15> known_answers{{
    {"ML-KEM-512", "14b6b6a420032f3a4fd7c8e9e4ce6f8284c3547a1092e6ae8b9976afde4bfab0"},
    {"ML-KEM-768", "1ef303825b31a54085997139751362cc35632177e3a499517db6eb9c71e15a90"},
    {"ML-KEM-1024", "77dd5ade5652084a7b69a5c9bd449194674e48d402787665a93ca5c292bfc752"},
    {"sntrup653", "a1cb96144128a986d3f8ffc0e13b0cb2ae259fb477330f8c61ded0e706ff0c35"},
    {"sntrup761", "0074c06412cab26da8eac42db6df2cc5c1ef4ddfac835de1436f4a4509b7678c"},
    {"sntrup857", "ed2aebb7d921dcfc98cd5c223be810d33db567b7bf18e1317b4713e06b3196b3"},
    {"sntrup953", "dd79d440a6e9645b566de8c985df3ae6a7d790ca5ff983c38ad523dc8a99f9c4"},
    {"sntrup1013", "447253815eb2f5f0464e5df9be990e6c9210838881dc08a16bb9945ddec9d828"},
    {"sntrup1277", "c93ad318c51183b93b4a59712ca4c1fa7d278f1d8ba47fc8ea58c3207d8dbe68"},
    {"ntrulpr653", "cf4558cfd05e1903d412c194104099a5aab01684c1e749a7738a54643bcff710"},
    {"ntrulpr761", "a9a85c2e870d79ae0b6811195c46e57f6cc2b021161a750c02aff2ef40859f86"},
    {"ntrulpr857", "355201f6eded6361854ffef400e7ac965e1a7b854fabd44f17f0ebb0d5f4ff42"},
    {"ntrulpr953", "e240b72c632d2f2629882ceb98fcb7d88ed76bc5c1d368f1862f06340af2ab10"},
    {"ntrulpr1013", "ef65833e96bbbc0fbc118c4dcacf78f9a1cef8a028c6d1a6061844e8ae6297d6"},
    {"ntrulpr1277", "3940648e94b94dae8d36d60213bf25754f2d0a40a6fb0c0760c42826a5bb4210"},
}};

int fill_counting(void*, std::uint8_t* out, std::size_t bytes)
{
    for (std::size_t i = 0; i < bytes; ++i) out[i] = static_cast<std::uint8_t>(0x20 + i);
    return 0;
}
constexpr girih_random counting{fill_counting, nullptr, 0};

struct Encapsulation {
    Bytes ciphertext;
    Bytes shared_secret;
};

/// One algorithm with a key pair.
class KemCheck {
  public:
    explicit KemCheck(const girih_alg* alg) : alg_(alg), keys_(counting_key_pair(alg)) {}

    /// The first check that fails; empty if there is none.
    [[nodiscard]] std::string fault() const
    {
        if (!keys_.good) return "no key from a seed";
        const Encapsulation known = encapsulate(&counting);
        if (known.shared_secret.empty()) return "no encapsulation";
        if (digest_of({&keys_.public_key, &keys_.secret_key, &known.ciphertext, &known.shared_secret}) !=
            digest_for(alg_, known_answers))
            return "keys, ciphertext or shared secret are not the known answer";
        if (!secret_key_belongs(keys_)) return "the secret key does not give the public key";
        if (decapsulate(known.ciphertext) != known.shared_secret)
            return "a ciphertext does not give its shared secret";
        if (!flips_are_rejected(known)) return "a flipped bit is not noticed";
        if (!random_secrets_agree()) return "encapsulation with random bytes fails";
        return {};
    }

  private:
    /// Empty if there is an error.
    [[nodiscard]] Encapsulation encapsulate(const girih_random* random) const
    {
        Encapsulation made{Bytes(girih_ciphertext_bytes(alg_)), Bytes(girih_shared_secret_bytes(alg_))};
        if (girih_encapsulate(alg_, random, keys_.public_key.data(), keys_.public_key.size(),
                              made.ciphertext.data(), made.ciphertext.size(), made.shared_secret.data(),
                              made.shared_secret.size()) != GIRIH_OK)
            return {};
        return made;
    }

    /// Empty if there is an error.
    [[nodiscard]] Bytes decapsulate(const Bytes& ciphertext) const
    {
        Bytes shared_secret(girih_shared_secret_bytes(alg_));
        if (girih_decapsulate(alg_, keys_.secret_key.data(), keys_.secret_key.size(), ciphertext.data(),
                              ciphertext.size(), shared_secret.data(), shared_secret.size()) != GIRIH_OK)
            return {};
        return shared_secret;
    }

    /// A changed ciphertext gives another secret, and the same one every time.
    [[nodiscard]] bool flips_are_rejected(Encapsulation known) const
    {
        return for_flipped_bits(known.ciphertext, [&] {
            const Bytes rejection = decapsulate(known.ciphertext);
            return !rejection.empty() && rejection != known.shared_secret &&
                   rejection == decapsulate(known.ciphertext);
        });
    }

    [[nodiscard]] bool random_secrets_agree() const
    {
        const Encapsulation first = encapsulate(nullptr);
        const Encapsulation second = encapsulate(nullptr);
        return !first.shared_secret.empty() && first.shared_secret != second.shared_secret &&
               decapsulate(first.ciphertext) == first.shared_secret &&
               decapsulate(second.ciphertext) == second.shared_secret;
    }

    const girih_alg* alg_;
    KeyPair keys_;  // not secret: the seed is in this program
};

}  // namespace

std::string fault_of_kem(const girih_alg* alg) { return KemCheck(alg).fault(); }

}  // namespace girih::cli::selftest
