# A Cortex-M7 without an operating system, built with Debian's gcc-arm-none-eabi.

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR cortex-m7)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)
set(CMAKE_ASM_COMPILER arm-none-eabi-gcc)
# A test program could not be linked.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

set(processor "-mcpu=cortex-m7 -mthumb -mfloat-abi=hard -mfpu=fpv5-d16")
set(CMAKE_C_FLAGS_INIT "${processor}")
set(CMAKE_CXX_FLAGS_INIT "${processor}")
set(CMAKE_ASM_FLAGS_INIT "${processor}")
