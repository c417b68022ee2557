/* The core that a program is compiled for, on a Cortex-M and on 32-bit RISC-V. girih.h includes
 * this file.
 *
 * Linkers accept a library for a larger core than the program's, which then stops at the first
 * instruction that its core lacks. So each object of a program that includes girih.h defines a weak
 * symbol for each feature of its core, and the library for devices refers to those that it was
 * compiled for. "undefined reference to `girih_core_has_dsp'" says that the library needs a core
 * with DSP instructions. The symbols take no memory. A program that does not include girih.h can
 * define them when it is linked: -Wl,--defsym=girih_core_has_dsp=1. */
#ifndef GIRIH_DEVICE_CORE_H
#define GIRIH_DEVICE_CORE_H

#if (defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M') || (defined(__riscv) && __riscv_xlen == 32)

#    if defined(__riscv)
#        define GIRIH_CORE_RELOCATION "R_RISCV_NONE"
#    else
#        define GIRIH_CORE_RELOCATION "R_ARM_NONE"
#    endif

#    if defined(GIRIH_DEVICE_PLAN) /* in the library */
#        define GIRIH_CORE_FEATURE(name) ".reloc ., " GIRIH_CORE_RELOCATION ", girih_core_has_" name "\n\t"
#    else
#        define GIRIH_CORE_FEATURE(name) \
            ".weak girih_core_has_" name "\n\t.set girih_core_has_" name ", 1\n\t"
#    endif

#    if defined(__ARM_ARCH_ISA_THUMB) && __ARM_ARCH_ISA_THUMB == 2
#        define GIRIH_CORE_THUMB2 GIRIH_CORE_FEATURE("thumb2")
#    else
#        define GIRIH_CORE_THUMB2
#    endif
#    if defined(__ARM_FEATURE_DSP)
#        define GIRIH_CORE_DSP GIRIH_CORE_FEATURE("dsp")
#    else
#        define GIRIH_CORE_DSP
#    endif
#    if defined(__ARM_FP)
#        define GIRIH_CORE_FLOAT GIRIH_CORE_FEATURE("float")
#    else
#        define GIRIH_CORE_FLOAT
#    endif
#    if defined(__ARM_FP) && (__ARM_FP & 8) != 0
#        define GIRIH_CORE_DOUBLE GIRIH_CORE_FEATURE("double")
#    else
#        define GIRIH_CORE_DOUBLE
#    endif
#    if defined(__ARM_ARCH) && __ARM_ARCH >= 8
#        define GIRIH_CORE_ARMV8M GIRIH_CORE_FEATURE("armv8m")
#    else
#        define GIRIH_CORE_ARMV8M
#    endif
#    if defined(__ARM_FEATURE_MVE)
#        define GIRIH_CORE_MVE GIRIH_CORE_FEATURE("mve")
#    else
#        define GIRIH_CORE_MVE
#    endif
#    if defined(__riscv_mul)
#        define GIRIH_CORE_MUL GIRIH_CORE_FEATURE("mul")
#    else
#        define GIRIH_CORE_MUL
#    endif
#    if defined(__riscv_compressed)
#        define GIRIH_CORE_COMPRESSED GIRIH_CORE_FEATURE("compressed")
#    else
#        define GIRIH_CORE_COMPRESSED
#    endif
#    if defined(__riscv_zbb)
#        define GIRIH_CORE_ZBB GIRIH_CORE_FEATURE("zbb")
#    else
#        define GIRIH_CORE_ZBB
#    endif

#    define GIRIH_CORE_FEATURES                                                                              \
        GIRIH_CORE_THUMB2 GIRIH_CORE_DSP GIRIH_CORE_FLOAT GIRIH_CORE_DOUBLE GIRIH_CORE_ARMV8M GIRIH_CORE_MVE \
            GIRIH_CORE_MUL GIRIH_CORE_COMPRESSED GIRIH_CORE_ZBB ""

#    if !defined(GIRIH_DEVICE_PLAN)
__asm__(GIRIH_CORE_FEATURES);
#    endif

#endif

#endif
