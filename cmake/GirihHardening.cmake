# Hardening of the shipped code against faults elsewhere in a program; tools/checks/hardening checks
# the files.

include(CheckCXXCompilerFlag)
include(CheckLinkerFlag)

# girih_guard(TARGET FLAG): compiles with the flag, if the compiler has it for this processor.
#
# Not on Windows: g++ touches each page of a frame anyway, and fails with its own option for it;
# files have no marks for indirect jumps; canaries and fortified calls need a library (libssp). Not
# in WebAssembly, whose return addresses and indirect calls memory cannot change.
function(girih_guard target flag)
  if(WIN32 OR wasm IN_LIST girih_families)
    return()
  endif()
  string(MAKE_C_IDENTIFIER "GIRIH_HAS${flag}" known)
  set(CMAKE_REQUIRED_FLAGS -Werror)
  check_cxx_compiler_flag(${flag} ${known})
  if(${known})
    target_compile_options(${target} INTERFACE ${flag})
  endif()
endfunction()

# For all code: a frame larger than a page touches each of its pages, so that a stack overflow hits
# the guard page; indirect jumps must end at marked places, if the processor checks that.
girih_guard(girih_flags -fstack-clash-protection)
if(aarch64 IN_LIST girih_families)
  # 4 KB; g++ assumes guards of 64 KB there.
  girih_guard(girih_flags --param=stack-clash-protection-guard-size=12)
endif()
girih_guard(girih_flags -fcf-protection=full)
girih_guard(girih_flags -mbranch-protection=standard)

# For code that handles bytes from outside and is not critical for speed (the API, key files, the
# command): a canary in each frame with an array, and fortified calls of the C library.
add_library(girih_canaries INTERFACE)
girih_guard(girih_canaries -fstack-protector-strong)
add_library(girih_fortified INTERFACE)
if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize" AND NOT WIN32)
  target_compile_options(girih_fortified INTERFACE $<$<CONFIG:Release>:-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2>)
endif()

# For shared libraries and programs: relocations are done before the first instruction, and
# read-only from then on.
add_library(girih_linked INTERFACE)
check_linker_flag(CXX -Wl,-z,relro,-z,now GIRIH_HAS_RELRO)
if(GIRIH_HAS_RELRO)
  target_link_options(girih_linked INTERFACE -Wl,-z,relro,-z,now)
endif()
# The linker drops a mark if one object lacks it, as crti.o and crtn.o of many systems do. Their
# code returns normally, so shadow stacks can still be declared. (Indirect jumps cannot: they have
# no landing places.)
if(GIRIH_HAS_fcf_protection_full)
  check_linker_flag(CXX -Wl,-z,shstk GIRIH_HAS_SHADOW_STACK)
  if(GIRIH_HAS_SHADOW_STACK)
    target_link_options(girih_linked INTERFACE -Wl,-z,shstk)
  endif()
endif()
