# A Cortex-M without an operating system, built with Debian's gcc-arm-none-eabi. GIRIH_CORE names it
# as -mcpu does: cortex-m4, or cortex-m4+nofp for one without a floating-point unit.

set(GIRIH_CORE "cortex-m7" CACHE STRING "The core to build for, as -mcpu names it")
# Configuration tests read this file again, without the cache.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES GIRIH_CORE)
set(girih_floats_cortex-m0plus "-mfloat-abi=soft")
set(girih_floats_cortex-m3 "-mfloat-abi=soft")
set(girih_floats_cortex-m4 "-mfloat-abi=hard -mfpu=fpv4-sp-d16")
set(girih_floats_cortex-m7 "-mfloat-abi=hard -mfpu=fpv5-d16")
set(girih_floats_cortex-m33 "-mfloat-abi=hard -mfpu=fpv5-sp-d16")
set(girih_floats_cortex-m55 "-mfloat-abi=hard")
if(GIRIH_CORE MATCHES "\\+nofp")
  set(floats "-mfloat-abi=soft")
elseif(DEFINED girih_floats_${GIRIH_CORE})
  set(floats "${girih_floats_${GIRIH_CORE}}")
else()
  message(FATAL_ERROR "girih: GIRIH_CORE=${GIRIH_CORE} is not known here; it may be cortex-m0plus, cortex-m3, "
    "cortex-m4, cortex-m7, cortex-m33 or cortex-m55, and +nofp may follow a name")
endif()

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR ${GIRIH_CORE})
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)
set(CMAKE_ASM_COMPILER arm-none-eabi-gcc)
# A test program could not be linked.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

set(processor "-mcpu=${GIRIH_CORE} -mthumb ${floats}")
set(CMAKE_C_FLAGS_INIT "${processor}")
set(CMAKE_CXX_FLAGS_INIT "${processor}")
set(CMAKE_ASM_FLAGS_INIT "${processor}")
