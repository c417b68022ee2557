/// The owning types of the C++ headers: moves, copies, swaps and growing vectors work, and memory
/// that they free holds no secret.
#include <gtest/gtest.h>
#include <girih/dilithium.hpp>
#include <girih/falcon.hpp>
#include <girih/ml_dsa.hpp>
#include <girih/ml_kem.hpp>
#include <girih/ntru_prime.hpp>

#include <malloc.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/typed.hpp"

namespace {

using girih::test::AlgorithmNames;

/// The secret that may not be in freed memory.
std::span<const std::uint8_t> needle;
std::size_t times_found = 0;

bool has_needle(std::span<const std::uint8_t> memory)
{
    return !needle.empty() && !std::ranges::search(memory, needle).empty();
}

void give_back(void* memory)
{
    if (memory == nullptr) return;
    if (has_needle({static_cast<const std::uint8_t*>(memory), malloc_usable_size(memory)})) ++times_found;
    std::free(memory);
}

void* take(std::size_t bytes, std::size_t alignment)
{
    void* const memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (memory == nullptr) throw std::bad_alloc{};
    std::memset(memory, 0, malloc_usable_size(memory));  // no remains of others
    return memory;
}

}  // namespace

// All memory that this program frees passes through here.
void* operator new(std::size_t bytes) { return take(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, std::align_val_t alignment)
{
    return take(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }

namespace {

/// While it lives, freed memory is searched for a secret.
class Watch {
  public:
    explicit Watch(std::span<const std::uint8_t> secret) : bytes_(secret.begin(), secret.end())
    {
        needle = bytes_;
        times_found = 0;
    }
    /// After the part that is public in every format.
    template <class Key>
        requires requires(const Key& key) { key.bytes(); }
    explicit Watch(const Key& key) : Watch(std::span{key.bytes()}.subspan(40, 48))
    {
    }
    ~Watch() { needle = {}; }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    static void expect_nothing(const char* what) { EXPECT_EQ(std::exchange(times_found, 0U), 0U) << what; }

  private:
    std::vector<std::uint8_t> bytes_;
};

TEST(Watching, FindsWhatIsNotWiped)
{
    const auto key = girih::ml_dsa_44::SigningKey::generate();
    const Watch watch{key};
    {
        const auto copied = std::make_unique<girih::ml_dsa_44::SecretKey>(key.bytes());
        __asm__ __volatile__("" : : "r"(copied->data()) : "memory");  // the copy is not dead
    }
    EXPECT_EQ(times_found, 1U);
}

/// f() uses a missing key: an error, or false.
template <class F>
void expect_no_key(F f)
{
    try {
        EXPECT_FALSE(f());
    } catch (const girih::Exception& exception) {
        EXPECT_EQ(exception.error(), girih::Error::argument);
    }
}

/// Moves, swaps and vectors of a prepared key; is_for(key, whose) says whose it is.
template <class Prepared, class Key, class IsFor>
void expect_that_it_moves(const Key& key, const Key& other, IsFor is_for)
{
    static_assert(!std::is_copy_constructible_v<Prepared> && !std::is_copy_assignable_v<Prepared>);
    static_assert(std::is_nothrow_move_constructible_v<Prepared> &&
                  std::is_nothrow_move_assignable_v<Prepared>);
    const auto make = [](const Key& whose) {
        if constexpr (std::is_constructible_v<Prepared, const Key&>)
            return Prepared{whose};
        else if constexpr (requires { whose.verifying_key(); })
            return Prepared{whose.verifying_key()};
        else
            return Prepared{whose.encapsulation_key()};
    };
    const auto expect_empty = [&](const Prepared& moved_from) {
        EXPECT_EQ(moved_from.c_key(), nullptr);
        expect_no_key([&] { return is_for(moved_from, key) || is_for(moved_from, other); });
    };
    {
        Prepared a = make(key);
        Prepared b = make(other);
        b = std::move(a);
        EXPECT_TRUE(is_for(b, key));
        expect_empty(a);
        a = std::move(b);
        EXPECT_TRUE(is_for(a, key)) << "what was moved from takes a key again";
        Prepared c{std::move(a)};
        EXPECT_TRUE(is_for(c, key));
        expect_empty(a);
        b = std::move(a);
        expect_empty(b);
        Prepared& itself = c;
        c = std::move(itself);
        EXPECT_TRUE(is_for(c, key)) << "assigned to itself";
        Prepared d = make(other);
        std::swap(c, d);
        EXPECT_TRUE(is_for(c, other) && is_for(d, key));
        d = make(other);
        Watch::expect_nothing("a key that another took the place of");
        std::vector<Prepared> keys;
        for (int i = 0; i < 5; ++i) keys.push_back(make(i % 2 == 0 ? key : other));
        keys.erase(keys.begin() + 1);
        EXPECT_TRUE(is_for(keys[1], key) && is_for(keys[2], other));
    }
    Watch::expect_nothing("keys whose life has ended");
}

template <class Key>
class TwoKeys : public testing::Test {
  public:
    const Key key = Key::generate();
    const Key other = Key::generate();
    const Watch watch{key};
};

template <class T>
class SigningTypes : public TwoKeys<typename T::SigningKey> {};
using SigningAlgorithms = testing::Types<girih::ml_dsa_44, girih::ml_dsa_87, girih::dilithium2,
                                         girih::falcon_512, girih::falcon_ct_1024>;
TYPED_TEST_SUITE(SigningTypes, SigningAlgorithms, AlgorithmNames);

TYPED_TEST(SigningTypes, PreparedKeysMove)
{
    expect_that_it_moves<typename TypeParam::PreparedSigningKey>(
        this->key, this->other, [](const auto& signer, const auto& whose) {
            return whose.verifying_key().verify("a message", signer.sign("a message"));
        });
    expect_that_it_moves<typename TypeParam::PreparedVerifyingKey>(
        this->key, this->other, [](const auto& verifier, const auto& whose) {
            return verifier.verify("a message", whose.sign("a message"));
        });
}

/// A key that was moved from has no secret any more, and refuses to be used.
template <class Key>
void expect_left(const Key& moved_from)
{
    EXPECT_EQ(moved_from.bytes(), (std::remove_cvref_t<decltype(moved_from.bytes())>{}));
    expect_no_key([&] {
        if constexpr (requires { moved_from.sign(""); })
            (void)moved_from.sign("");
        else
            (void)moved_from.decapsulate(moved_from.encapsulation_key().encapsulate().ciphertext);
        return true;
    });
    if constexpr (requires { moved_from.sign_mu({}); })
        expect_no_key([&] { return !moved_from.sign_mu({}).empty(); });
}

/// Copies, moves, swaps and vectors of a key that is its bytes, and the remains where it was.
template <class Key>
void expect_bytes_that_are_wiped(const Key& key, const Key& other)
{
    const auto bytes = key.bytes();
    {
        auto a = std::make_unique<Key>(key);
        auto b = std::make_unique<Key>(other);
        *b = std::move(*a);
        EXPECT_EQ(b->bytes(), bytes);
        expect_left(*a);
        auto c = std::make_unique<Key>(std::move(*b));
        EXPECT_EQ(c->bytes(), bytes);
        expect_left(*b);
        expect_left(Key{*b});
        Key& itself = *c;
        *c = std::move(itself);
        EXPECT_EQ(c->bytes(), bytes) << "assigned to itself";
        *a = other;
        EXPECT_EQ(a->bytes_to_use(), other.bytes()) << "what was moved from takes a key again";
        std::swap(*a, *c);
        EXPECT_EQ(c->bytes(), other.bytes());
        EXPECT_EQ(a->bytes_to_use(), bytes);
    }
    Watch::expect_nothing("keys by themselves");
    {
        std::vector<Key> keys;
        for (int i = 0; i < 5; ++i) keys.push_back(key);
        keys.erase(keys.begin() + 1);
        EXPECT_EQ(keys[3].bytes(), bytes);
    }
    Watch::expect_nothing("a vector of keys");
    std::make_unique<std::optional<Key>>(Key::from_bytes(bytes)).reset();
    Watch::expect_nothing("an optional key");
    auto wrong = bytes;
    std::fill(wrong.begin(), wrong.begin() + 32, std::uint8_t{0xFF});
    wrong.back() ^= 1;
    auto refused = std::make_unique<std::optional<Key>>(Key::from_bytes(wrong));
    EXPECT_FALSE(refused->has_value());
    refused.reset();
    Watch::expect_nothing("a key that was refused");
}

TYPED_TEST(SigningTypes, ASigningKeyIsWipedWhereItGoes)
{
    expect_bytes_that_are_wiped(this->key, this->other);
    auto from = this->key;
    const auto to = std::move(from);
    EXPECT_EQ(from.verifying_key(), to.verifying_key()) << "which is not secret";
    EXPECT_EQ(from.seed().size() + to.seed().size(), TypeParam::seed_bytes);
    const Watch seed{std::span{to.seed().data(), TypeParam::seed_bytes}};
    expect_bytes_that_are_wiped(this->key, this->other);
    expect_no_key([&] { return typename TypeParam::PreparedSigningKey{from}.c_key() != nullptr; });
}

TYPED_TEST(SigningTypes, MemoryThatAKeyIsPreparedInForNothingIsWiped)
{
    auto bytes = this->key.bytes();
    if (TypeParam::seed_bytes == 32)  // coefficients of s1 out of their range: the rest is written by then
        std::fill_n(bytes.begin() + 128 + 300, 10, std::uint8_t{0xFF});
    else
        bytes.back() ^= 1;
    EXPECT_THROW(typename TypeParam::PreparedSigningKey{bytes}, girih::Exception);
    Watch::expect_nothing("a key that could not be prepared");
}

template <class T>
class KemTypes : public TwoKeys<typename T::DecapsulationKey> {};
using Kems = testing::Types<girih::ml_kem_512, girih::ml_kem_1024, girih::sntrup761, girih::ntrulpr1277>;
TYPED_TEST_SUITE(KemTypes, Kems, AlgorithmNames);

TYPED_TEST(KemTypes, ADecapsulationKeyIsWipedWhereItGoes)
{
    expect_bytes_that_are_wiped(this->key, this->other);
    const auto made = this->key.encapsulation_key().encapsulate();
    const auto copied = this->key;
    EXPECT_EQ(copied.decapsulate(made.ciphertext), made.shared_secret);
}

template <class T>
class PreparedKemTypes : public KemTypes<T> {};
using PreparingKems = testing::Types<girih::ml_kem_512, girih::ml_kem_768, girih::ml_kem_1024>;
TYPED_TEST_SUITE(PreparedKemTypes, PreparingKems, AlgorithmNames);

TYPED_TEST(PreparedKemTypes, PreparedKeysMove)
{
    using Prepared = typename TypeParam::PreparedDecapsulationKey;
    expect_that_it_moves<typename TypeParam::PreparedEncapsulationKey>(
        this->key, this->other, [](const auto& to, const auto& whose) {
            const auto made = to.encapsulate();
            return whose.decapsulate(made.ciphertext) == made.shared_secret;
        });
    expect_that_it_moves<Prepared>(this->key, this->other, [](const auto& by, const auto& whose) {
        const auto made = whose.encapsulation_key().encapsulate();
        return by.decapsulate(made.ciphertext) == made.shared_secret;
    });
    auto from = this->key;
    const auto to = std::move(from);
    expect_no_key([&] { return Prepared{from}.c_key() != nullptr; });
}

/// z is stored unchanged: at the end of the bytes, and somewhere in the prepared key.
TYPED_TEST(PreparedKemTypes, APreparedDecapsulationKeyIsWiped)
{
    using Prepared = typename TypeParam::PreparedDecapsulationKey;
    auto bytes = this->key.bytes();
    const Watch z{std::span{bytes}.last(32)};
    {
        const Prepared by{this->key};
        const auto* const memory = reinterpret_cast<const std::uint8_t*>(by.c_key());
        ASSERT_TRUE(has_needle({memory, girih_decapsulation_key_size(TypeParam::algorithm())}));
    }
    Watch::expect_nothing("a prepared key whose life has ended");
    bytes[bytes.size() - 64] ^= 1;
    EXPECT_THROW(Prepared{bytes}, girih::Exception);
    Watch::expect_nothing("a key that could not be prepared");
}

/// A message in pieces is a value: a copy continues independently.
TEST(Messages, AreCopiedWithWhatTheyHaveRead)
{
    using Algorithm = girih::ml_dsa_65;
    const auto key = Algorithm::SigningKey::generate();
    Algorithm::Message message{key.verifying_key().bytes(), {}};
    message.update("a ");
    Algorithm::Message copied = message;
    Algorithm::Mu one, two, three;
    ASSERT_EQ(message.update("message").mu(one), girih::Error::none);
    ASSERT_EQ(copied.update("mes").update("sage").mu(two), girih::Error::none);
    EXPECT_EQ(one, two);
    EXPECT_EQ(message.mu(three), girih::Error::message) << "ended";
    message = Algorithm::Message{key.bytes(), {}};
    ASSERT_EQ(message.update("a message").mu(three), girih::Error::none);
    EXPECT_EQ(three, one);
}

}  // namespace
