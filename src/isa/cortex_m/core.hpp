/// The target core, for C++ and for assembly, as the compiler's flags state it (-mcpu, -march,
/// -mfloat-abi): what it has, never its name. No macro here is set on larger processors. Plain C++
/// is for them, and for cores that lack an extension.
#pragma once

#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#    if __ARM_ARCH_ISA_THUMB == 2
/// ARMv7-M, ARMv8-M Mainline: all of Thumb-2.
#        define GIRIH_ARM_THUMB2
#        if defined(__ARM_FEATURE_UNALIGNED)
/// Words at any address.
#            define GIRIH_ARM_UNALIGNED
#        endif
#    else
/// ARMv6-M, ARMv8-M Baseline: a small core, without assembly here.
#        define GIRIH_SMALL_CORE
#    endif
#    if defined(__ARM_FEATURE_DSP)
/// Halfwords and bytes side by side, and 64-bit products in a time independent of their operands.
#        define GIRIH_ARM_DSP
#        if defined(__ARM_FP)
/// Single-precision registers, in which assembly keeps words.
#            define GIRIH_ARM_DSP_AND_FLOATS
#            if (__ARM_FP & 8) != 0
/// Minimum and maximum of doubles.
#                define GIRIH_ARM_DOUBLES
#            endif
#        endif
#    else
/// Products of 64 bits are for public values only (isa/products.hpp): UMULL and its like take 3 to
/// 5 cycles on a Cortex-M3, fewer for small operands, and a Cortex-M0 calls __aeabi_lmul, which
/// branches on a carry in GCC's library. MUL and MLA take the same time for all operands.
#        define GIRIH_LONG_PRODUCTS_VARY
#    endif
#elif defined(__riscv_xlen) && __riscv_xlen == 32
/// A small core as well. MUL and MULH take the same time for all operands on common cores.
#    define GIRIH_SMALL_CORE
#endif
