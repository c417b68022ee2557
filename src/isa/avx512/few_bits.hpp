/// The AVX-512 engine's packing of integers of few bits, 64 at a time, through bytes.
#pragma once

#include <immintrin.h>

#include <cstdint>

#include "core/bytes.hpp"
#include "isa/shared/few_bits.hpp"
#include "isa/shared/table.hpp"

namespace girih::isa::avx512 {

struct FewBits {
    /// The integers of four vectors in order, each in [0, 2^bits), in 8 * bits bytes.
    template <int bits, class Integers>
        requires requires { FewBitsJoined<bits>::step; }
    static void pack(Byte* to, Integers a, Integers b, Integers c, Integers d) noexcept
    {
        // Four integers in 32 bits, not yet in order.
        __m512i joined =
            _mm512_packus_epi16(_mm512_packs_epi32(raw(a), raw(b)), _mm512_packs_epi32(raw(c), raw(d)));
        using To = FewBitsJoined<bits>;
        if constexpr (To::step > 4) {
            static constexpr auto order = make_table<std::int32_t, 16>([](int i) { return place(i); });
            joined = _mm512_permutexvar_epi32(_mm512_load_si512(order.data()), joined);
        }
        joined = _mm512_maddubs_epi16(joined, _mm512_set1_epi16(To::factors_of_two));
        if constexpr (To::step > 2)
            joined = _mm512_madd_epi16(joined, _mm512_set1_epi32(To::factors_of_four));
        if constexpr (To::step > 4)
            joined = _mm512_or_si512(joined, _mm512_srli_epi64(joined, To::shift_of_eight));
        static constexpr auto places = make_table<Byte, 64>([](int i) {
            if (i >= 8 * bits) return 0;
            const int from = i / To::size * To::step + i % To::size;
            return To::step > 4 ? from : place(from / 4) * 4 + from % 4;
        });
        _mm512_mask_storeu_epi8(to, (std::uint64_t{1} << (8 * bits)) - 1,
                                _mm512_permutexvar_epi8(_mm512_load_si512(places.data()), joined));
    }

  private:
    /// The 32-bit place where the packs leave integers 4i to 4i + 3.
    static constexpr int place(int i) { return i % 4 * 4 + i / 4; }

    template <class Integers>
    [[nodiscard]] static __m512i raw(Integers a) noexcept
    {
        return reinterpret_cast<__m512i>(a);
    }
};

}  // namespace girih::isa::avx512
