/// The known answers of girih_selftest.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "core/bytes.hpp"

namespace girih::api {

/// Bytes from their hexadecimal digits.
template <std::size_t digits>
consteval std::array<Byte, digits / 2> hex(const char (&text)[digits])
{
    constexpr std::string_view alphabet = "0123456789abcdef";
    std::array<Byte, digits / 2> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<Byte>((alphabet.find(text[2 * i]) << 4) | alphabet.find(text[2 * i + 1]));
    return bytes;
}

/// SHA-256 of an algorithm's results: public key, secret key, and the signature of
/// `signed_message`, or ciphertext and shared secret. The key pair's seed is 00 01 ... 1f, or 2f
/// where a seed has 48 bytes, and 3f where it has 64. The signature is deterministic or, for
/// Falcon, has salt and seed counting from 0; the encapsulation's random bytes are 20 21 ... 3f.
///
/// An independent program computed them. The keys of ML-DSA and ML-KEM are the examples of RFC 9881
/// and RFC 9935.
struct KnownResults {
    std::array<char, 19> algorithm;
    std::array<Byte, 32> digest;
};
inline constexpr std::string_view signed_message = "girih selftest";
inline constexpr std::array<KnownResults, 27> known_results{{
    {{"ML-DSA-44"}, hex("3112e6bfdf559447dc718599d3fc22e9419ff4871014a0ac6d493fc2ad0c06d2")},
    {{"ML-DSA-65"}, hex("8c60b651215eada3456f77ff71aa5839174256fc48d8aaffb01a24f67d0d6eed")},
    {{"ML-DSA-87"}, hex("5ca24093fd441c840de3edd0810f1a2ae90dfe8ad3f44864db83528d368c5988")},
    {{"Dilithium2"}, hex("6120c497e78c0decf708e41d17c7733d5512021dad81bba44887eb5d51c90d6b")},
    {{"Dilithium3"}, hex("2c29566fe973c8fc221527a14d97fe5778d805b8e73539de6f2cf6f9373eccd9")},
    {{"Dilithium5"}, hex("668d6a21dc427ed722087359e2562e9ee12b0e886ee0fb5ff84d3e2f20791a49")},
    {{"Falcon-512"}, hex("8d92ea91b3a227931eb02f7e3ce59ab524e43932c21a62b4c2f8845def3a3a74")},
    {{"Falcon-1024"}, hex("ba0d90558e289c80b275c08dd91b02fd9d7c1a0e9feae3657a535034bd40de9c")},
    {{"Falcon-padded-512"}, hex("e262b417c6a3c50826fff101582932f407b6ecdc1d703efe4b1362628f65d48b")},
    {{"Falcon-padded-1024"}, hex("7f684ad70a50df48b5adc6d1df3a83704ee71c801e26e43e102806c3fd942b7b")},
    {{"Falcon-CT-512"}, hex("f9958dbf82e4c87b59bee46f9059a5c65089a298692b40549b860c6afe707476")},
    {{"Falcon-CT-1024"}, hex("c42fc70d650edeb9fe71befebb8965303c2f26d051b327801e2919eeff34dd7f")},
    {{"ML-KEM-512"}, hex("14b6b6a420032f3a4fd7c8e9e4ce6f8284c3547a1092e6ae8b9976afde4bfab0")},
    {{"ML-KEM-768"}, hex("1ef303825b31a54085997139751362cc35632177e3a499517db6eb9c71e15a90")},
    {{"ML-KEM-1024"}, hex("77dd5ade5652084a7b69a5c9bd449194674e48d402787665a93ca5c292bfc752")},
    {{"sntrup653"}, hex("a1cb96144128a986d3f8ffc0e13b0cb2ae259fb477330f8c61ded0e706ff0c35")},
    {{"sntrup761"}, hex("0074c06412cab26da8eac42db6df2cc5c1ef4ddfac835de1436f4a4509b7678c")},
    {{"sntrup857"}, hex("ed2aebb7d921dcfc98cd5c223be810d33db567b7bf18e1317b4713e06b3196b3")},
    {{"sntrup953"}, hex("dd79d440a6e9645b566de8c985df3ae6a7d790ca5ff983c38ad523dc8a99f9c4")},
    {{"sntrup1013"}, hex("447253815eb2f5f0464e5df9be990e6c9210838881dc08a16bb9945ddec9d828")},
    {{"sntrup1277"}, hex("c93ad318c51183b93b4a59712ca4c1fa7d278f1d8ba47fc8ea58c3207d8dbe68")},
    {{"ntrulpr653"}, hex("cf4558cfd05e1903d412c194104099a5aab01684c1e749a7738a54643bcff710")},
    {{"ntrulpr761"}, hex("a9a85c2e870d79ae0b6811195c46e57f6cc2b021161a750c02aff2ef40859f86")},
    {{"ntrulpr857"}, hex("355201f6eded6361854ffef400e7ac965e1a7b854fabd44f17f0ebb0d5f4ff42")},
    {{"ntrulpr953"}, hex("e240b72c632d2f2629882ceb98fcb7d88ed76bc5c1d368f1862f06340af2ab10")},
    {{"ntrulpr1013"}, hex("ef65833e96bbbc0fbc118c4dcacf78f9a1cef8a028c6d1a6061844e8ae6297d6")},
    {{"ntrulpr1277"}, hex("3940648e94b94dae8d36d60213bf25754f2d0a40a6fb0c0760c42826a5bb4210")},
}};

/// The shared secret of that ciphertext with its first bit flipped, by implicit rejection: J(z ||
/// c) of ML-KEM (FIPS 203, Algorithm 18, line 7), the hash of rho and c of NTRU Prime.
struct KnownRejection {
    std::array<char, 19> algorithm;
    std::array<Byte, 32> shared_secret;
};
inline constexpr std::array<KnownRejection, 15> known_rejections{{
    {{"ML-KEM-512"}, hex("a49e07b731808e4df125a167bfc8f9a189c8ba165476f99f8125c9258fe9ffc2")},
    {{"ML-KEM-768"}, hex("d1ac7caa77aef92ffc4ca5d8217b882c9c01b1a0a5a8ddcb2a7f003155053d75")},
    {{"ML-KEM-1024"}, hex("e40321e4caf9fd5ee84ec88045bfbfdbefc4fe4bd1e760975c7200c54f8ebb08")},
    {{"sntrup653"}, hex("c8191d19da8aea8a9369b3b455fa10ed6d47d280e7e932655b0d918d662d91e8")},
    {{"sntrup761"}, hex("4040b23762abc56f533cb7bdc5adcfa3353bba8a3c3e91cc1fbf6a10532e1120")},
    {{"sntrup857"}, hex("6cedd952ebe982a9ac14837aca1ab1ec9e3fb00e9eafe4d2691f0dc60cb1843d")},
    {{"sntrup953"}, hex("c1a6c2bfbeb352d037efeb3a7c16be7a618dcbc43c7e66947b042feb0fdc214e")},
    {{"sntrup1013"}, hex("a3f68dd7afdf88a75743d600b69383fc97c7ccfff05cbef9d89c8d6a88391143")},
    {{"sntrup1277"}, hex("0401f26210f63cda44a77a80f9733b1e7c055dccc53b29b184db57450ac27b6f")},
    {{"ntrulpr653"}, hex("cf2dc38fa47a430f6429f6bbb9547bbd59fad6e7d336a291846f215ed6f348fa")},
    {{"ntrulpr761"}, hex("739c39c1b9f93fe437ad4ee52127b4539af84cef94e79be9573e792391a80fc1")},
    {{"ntrulpr857"}, hex("1193cfd225775273dd0dec826c4a447af445d94e98dfef99d4ba435d0c30e16c")},
    {{"ntrulpr953"}, hex("5def0c17f5e31d4eff703bbd600f701e9dd5d934da6393cbf9b6cc0a8c6786a5")},
    {{"ntrulpr1013"}, hex("70a82059fbde36ae7905034baa6fa59f97090e2576c616d603ea450af7234f63")},
    {{"ntrulpr1277"}, hex("1528d8b9d8551b3f79b1b563e7bc7cfc56c0b16ab8b3df537b8493b59d4afd94")},
}};

/// Deterministic signatures of a message representative mu for which attempts were rejected by r0,
/// z and the hints, and with ML-DSA-44 also by c t0, which the other sets' bound excludes. From
/// NIST's draft-celi-acvp-ml-dsa, "Known Answer Tests for Rejection Cases"; mu is H(tr || M').
struct KnownSignature {
    std::array<char, 19> algorithm;
    std::array<Byte, 32> seed;
    std::array<Byte, 64> mu;
    std::array<Byte, 32> digest;  ///< SHA-256 of the signature
};
inline constexpr std::array<KnownSignature, 3> known_signatures{{
    {{"ML-DSA-44"},
     hex("836eabedb4d2cd9be6a4d957cf5ee6bf489304136864c55c2c5f01da5047d18b"),
     hex("d561608ee244517350dc3d29bcf2088f5e2eb2539af0a93ea2b699726ffa586c"
         "d57a5f62062eabdec580cb86ac3fb1c0499eaf1471679ed6a614dd3397c87f34"),
     hex("a2608bc27e60541d27b6a14f460d54a48c0298dcc3f45999f29047a3135c4941")},
    {{"ML-DSA-65"},
     hex("e13131b705a760305feffebfe99082e2691a444bbefcc3edf67d909886200207"),
     hex("c0b6ae56af5247390d093972c6c1794f8796e5bdaff602f291d7d57f2e851324"
         "1237c0446cd263ba00f9ed567b267bae1051b0f46bc853a5465857f7980e65ea"),
     hex("3c55e604deca7b89a99305d7a391c35f66a17c1923f467675ec951c0948d21c9")},
    {{"ML-DSA-87"},
     hex("049d9b0b646a2ac7f50b63ce5e4bfe44c9b87634f4ff6c14c513e388b8a1f808"),
     hex("e1922baa591f3bc260a766c986b0e2538f6729f6995a16570f3be4f6aebb681f"
         "7c3949255da16d1d7df15824cf9713ae546d26e4b17beeccf3208c32353cd64c"),
     hex("ff4006089bdf7337e868f86ddf48f239d2a52ea1d0f686e0103bf19c3b571db1")},
}};

}  // namespace girih::api
