/// Calls of the C interface with inputs that lie in outputs: every pair, wholly, in part, and by
/// one byte. And with outputs that lie in outputs, which nothing can be written to.
#pragma once

#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "support/bytes.hpp"
#include "support/signatures.hpp"

namespace girih::test {

/// A piece of memory that a function reads or writes.
struct Region {
    std::string name;
    ByteString content;  ///< of an input
    std::size_t size;    ///< at least as long as the content
    bool is_output = false;
    std::size_t alignment = 1;  ///< of a structure, a length or a pointer
};

inline Region input(std::string name, ByteString content, std::size_t alignment = 1)
{
    const std::size_t size = content.size();
    return {std::move(name), std::move(content), size, false, alignment};
}
inline Region output(std::string name, std::size_t size, std::size_t alignment = 1)
{
    return {std::move(name), {}, size, true, alignment};
}
template <class T>
Region structure(std::string name, const T& object)
{
    ByteString bytes(sizeof object);
    std::memcpy(bytes.data(), &object, sizeof object);
    return input(std::move(name), std::move(bytes), alignof(T));
}

/// Where the regions are, in their order.
using Places = std::vector<Byte*>;

/// A function under test: its regions, and a call of it with all of them in their places.
struct Function {
    std::vector<Region> regions;
    std::function<int(const Places&)> call;
    /// What an output is worth comparing of; by default all.
    std::function<ByteString(const Region&, const Byte*)> visible =
        [](const Region& region, const Byte* place) { return ByteString(place, place + region.size); };
};

/// Memory with room for all regions, each 4 KB from the next, which are filled as if
/// nothing had run yet.
class Arena {
  public:
    explicit Arena(const std::vector<Region>& regions) : regions_(regions)
    {
        std::size_t bytes = 64;
        for (const Region& region : regions) {
            offsets_.push_back(bytes);
            bytes += (region.size + 4096 + 63) / 64 * 64;
        }
        memory_.resize(bytes + 4096 + 64);
    }

    /// Region i at that distance from region j.
    void move(std::size_t i, std::size_t j, std::ptrdiff_t distance)
    {
        offsets_[i] = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(offsets_[j]) + distance);
    }

    Places places()
    {
        Byte* const base = memory_.data() + (64 - reinterpret_cast<std::uintptr_t>(memory_.data()) % 64) % 64;
        Places places;
        for (const std::size_t offset : offsets_) places.push_back(base + offset);
        std::fill(memory_.begin(), memory_.end(), Byte{0xEE});
        for (std::size_t i = 0; i < regions_.size(); ++i)
            std::copy(regions_[i].content.begin(), regions_[i].content.end(), places[i]);
        return places;
    }
    [[nodiscard]] const ByteString& memory() const { return memory_; }

  private:
    const std::vector<Region>& regions_;
    std::vector<std::size_t> offsets_;
    ByteString memory_;
};

/// How far from a region of `b` bytes one of `a` bytes begins where they share all they can, a
/// part, or one byte.
inline std::vector<std::ptrdiff_t> distances(const Region& a, const Region& b)
{
    const auto a_bytes = static_cast<std::ptrdiff_t>(a.size);
    const auto b_bytes = static_cast<std::ptrdiff_t>(b.size);
    const auto step = static_cast<std::ptrdiff_t>(std::max(a.alignment, b.alignment));
    std::vector<std::ptrdiff_t> found{0,           b_bytes - a_bytes, b_bytes / 2, -a_bytes / 2,
                                      b_bytes - 1, 1 - a_bytes};
    for (std::ptrdiff_t& distance : found) distance = distance / step * step;
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    std::erase_if(found, [&](std::ptrdiff_t d) { return d >= b_bytes || d <= -a_bytes || d < -4000; });
    return found;
}

inline void expect_in_place(const Function& function)
{
    const auto outputs_of = [&](const Places& places, std::size_t but) {
        std::vector<ByteString> outputs;
        for (std::size_t i = 0; i < places.size(); ++i)
            if (function.regions[i].is_output && i != but)
                outputs.push_back(function.visible(function.regions[i], places[i]));
        return outputs;
    };
    const auto none = function.regions.size();
    Arena apart{function.regions};
    const Places usual = apart.places();
    ASSERT_EQ(function.call(usual), GIRIH_OK);
    const auto expected = outputs_of(usual, none);
    std::size_t tried = 0;
    for (std::size_t i = 0; i < function.regions.size(); ++i)
        for (std::size_t j = 0; j < function.regions.size(); ++j) {
            const Region& a = function.regions[i];
            const Region& b = function.regions[j];
            if (i == j || !b.is_output || (a.is_output && j < i)) continue;
            for (const std::ptrdiff_t distance : distances(a, b)) {
                Arena arena{function.regions};
                arena.move(i, j, distance);
                const Places places = arena.places();
                const ByteString before = arena.memory();
                const std::string what = a.name + " at " + std::to_string(distance) + " in " + b.name;
                if (a.is_output) {
                    EXPECT_EQ(function.call(places), GIRIH_ERROR_OVERLAP) << what;
                    EXPECT_EQ(arena.memory(), before) << what;
                } else {
                    EXPECT_EQ(function.call(places), GIRIH_OK) << what;
                    EXPECT_EQ(outputs_of(places, none), expected) << what;
                }
                ++tried;
            }
        }
    EXPECT_GT(tried, 0U);
}

template <class T>
T* as(Byte* place)
{
    return reinterpret_cast<T*>(place);
}

/// Bytes without end that are the same in every call.
inline int fill_counting(void*, std::uint8_t* out, std::size_t bytes)
{
    for (std::size_t i = 0; i < bytes; ++i) out[i] = static_cast<std::uint8_t>(7 * i + 1);
    return 0;
}
inline constexpr girih_random counting_source{fill_counting, nullptr, 0};

class InPlace : public EveryAlgorithm {
  public:
    const std::size_t pk_bytes = girih_public_key_bytes(alg);
    const std::size_t sk_bytes = girih_secret_key_bytes(alg);
    const std::size_t signature_bytes = girih_signature_bytes(alg);
    const ByteString seed = counting(girih_seed_bytes(alg));
    const KeyPair keys = key_pair(alg, seed);
    const ByteString message = counting(200, 3);

    /// Region 0 of a function that signs: its options, with counted randomness.
    [[nodiscard]] static Region options(const girih_random* random)
    {
        girih_options made{};
        made.random = random;
        return structure("options", made);
    }
};

/// A prepared signing key in memory of its own.
class PreparedKey {
  public:
    PreparedKey(const girih_alg* alg, BytesIn<> secret_key)
        : memory_(girih_signing_key_size(alg) / sizeof(Line))
    {
        EXPECT_EQ(girih_prepare_signing_key(alg, secret_key.data(), secret_key.size(), memory_.data(),
                                            memory_.size() * sizeof(Line), &key_),
                  GIRIH_OK);
    }
    [[nodiscard]] girih_signing_key* get() const { return key_; }

  private:
    struct alignas(GIRIH_PREPARED_ALIGNMENT) Line {
        Byte bytes[GIRIH_PREPARED_ALIGNMENT];
    };
    std::vector<Line> memory_;
    girih_signing_key* key_ = nullptr;
};

}  // namespace girih::test
