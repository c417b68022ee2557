/// Shared by the fuzz targets: claims, the parsing of inputs, engines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>
#include <vector>

#include "core/bytes.hpp"
#include "engines/list.hpp"

namespace girih::fuzz {

using ByteString = std::vector<Byte>;

/// A claim that holds for every input. libFuzzer keeps the input of one that does not.
inline void require(bool holds, const char* claim)
{
    if (holds) return;
    std::fprintf(stderr, "\nfuzz: this does not hold: %s\n", claim);
    std::abort();
}

/// The bytes of an input, taken from the front. After its end they are 0.
class Input {
  public:
    Input(const Byte* data, std::size_t bytes) : rest_(data, bytes) {}

    Byte byte()
    {
        if (rest_.empty()) return 0;
        const Byte first = rest_.front();
        rest_ = rest_.subspan(1);
        return first;
    }
    std::size_t number()  ///< of two bytes
    {
        const std::size_t high = byte();
        return high << 8 | byte();
    }
    [[nodiscard]] bool empty() const { return rest_.empty(); }
    /// In memory of exactly their size, so that a read past the end is seen.
    [[nodiscard]] ByteString rest() const { return {rest_.begin(), rest_.end()}; }

  private:
    BytesIn<> rest_;
};

inline std::string_view as_text(const ByteString& bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Each target defines this: it checks its claims on an input.
void check_input(Input input);

/// How an input changes an honest object.
enum Mode : Byte {
    /// The rest of the input replaces it; else the rest is patches: an index in two bytes, and the
    /// byte that is added there.
    is_whole = 1,
    /// The target's second object.
    other = 2
};

/// An object, changed by the rest of the input.
inline ByteString changed(const ByteString& honest, Byte mode, Input& input)
{
    if ((mode & is_whole) != 0) return input.rest();
    ByteString object = honest;
    while (!input.empty()) {
        const std::size_t place = input.number() % object.size();
        object[place] = static_cast<Byte>(object[place] + input.byte());
    }
    return object;
}

/// The engines that run here, except the reference, which takes many times as long, and which
/// tests/cross_isa compares.
inline const std::vector<const engines::Engine*>& engines()
{
    static const std::vector<const engines::Engine*> all = [] {
        std::vector<const engines::Engine*> found;
        for (const engines::Candidate& candidate : engines::candidates())
            if (candidate.runs_here() && candidate.engine->name != "reference")
                found.push_back(candidate.engine);
        return found;
    }();
    return all;
}

/// The result of make(engine), which has to be the same for every engine.
template <class Make>
auto agreed(const char* claim, Make make)
{
    const auto first = make(*engines().front());
    for (const engines::Engine* const engine : std::span(engines()).subspan(1))
        require(make(*engine) == first, claim);
    return first;
}

}  // namespace girih::fuzz
