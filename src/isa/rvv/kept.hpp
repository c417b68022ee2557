/// The lanes of a vector that a mask keeps, stored without gaps.
///
/// Vectors of a fixed length and those of the intrinsics do not convert into each other unless a
/// build fixes the processor's vector length: they pass through memory. Masks are public and lanes
/// may be secret, so no lane passes through vcompress, whose time Zvkt does not promise: the kept
/// lanes go to addresses that depend on the mask alone.
#pragma once

#include <riscv_vector.h>

#include <cstddef>
#include <cstdint>

namespace girih::isa::rvv {

[[gnu::always_inline]] inline std::size_t store_kept(std::int32_t* to, const std::int32_t* a,
                                                     const std::int32_t* mask, std::size_t n) noexcept
{
    const vbool16_t kept = __riscv_vmslt_vx_i32m2_b16(__riscv_vle32_v_i32m2(mask, n), 0, n);
    const vuint32m2_t places = __riscv_vsll_vx_u32m2(__riscv_viota_m_u32m2(kept, n), 2, n);
    __riscv_vsuxei32_v_i32m2_m(kept, to, places, __riscv_vle32_v_i32m2(a, n), n);
    return __riscv_vcpop_m_b16(kept, n);
}
[[gnu::always_inline]] inline std::size_t store_kept(std::int16_t* to, const std::int16_t* a,
                                                     const std::int16_t* mask, std::size_t n) noexcept
{
    const vbool8_t kept = __riscv_vmslt_vx_i16m2_b8(__riscv_vle16_v_i16m2(mask, n), 0, n);
    const vuint16m2_t places = __riscv_vsll_vx_u16m2(__riscv_viota_m_u16m2(kept, n), 1, n);
    __riscv_vsuxei16_v_i16m2_m(kept, to, places, __riscv_vle16_v_i16m2(a, n), n);
    return __riscv_vcpop_m_b8(kept, n);
}
[[gnu::always_inline]] inline std::size_t store_kept(std::int8_t* to, const std::int8_t* a,
                                                     const std::int8_t* mask, std::size_t n) noexcept
{
    const vbool8_t kept = __riscv_vmslt_vx_i8m1_b8(__riscv_vle8_v_i8m1(mask, n), 0, n);
    __riscv_vsuxei8_v_i8m1_m(kept, to, __riscv_viota_m_u8m1(kept, n), __riscv_vle8_v_i8m1(a, n), n);
    return __riscv_vcpop_m_b8(kept, n);
}

/// Whether one of n integers is negative; public.
[[nodiscard, gnu::always_inline]] inline bool any_negative(const std::int32_t* a, std::size_t n) noexcept
{
    return __riscv_vcpop_m_b16(__riscv_vmslt_vx_i32m2_b16(__riscv_vle32_v_i32m2(a, n), 0, n), n) != 0;
}

/// store_kept() of a vector's lanes.
template <class Lane, class V>
[[gnu::always_inline]] inline std::size_t compress_store(Lane* to, V a, V mask) noexcept
{
    return store_kept(to, reinterpret_cast<const Lane*>(&a), reinterpret_cast<const Lane*>(&mask),
                      sizeof(V) / sizeof(Lane));
}

}  // namespace girih::isa::rvv
