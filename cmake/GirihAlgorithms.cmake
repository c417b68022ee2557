# The algorithms and engines of a build: GIRIH_ALGORITHMS and GIRIH_ENGINES.

# Every algorithm: its scheme's folder, its parameter set in the sources, its name. A choice names
# an algorithm in lower case, or a family by the beginning of such names.
set(girih_every_algorithm
  ml_dsa:ml_dsa_44:ML-DSA-44 ml_dsa:ml_dsa_65:ML-DSA-65 ml_dsa:ml_dsa_87:ML-DSA-87
  ml_dsa:dilithium2:Dilithium2 ml_dsa:dilithium3:Dilithium3 ml_dsa:dilithium5:Dilithium5
  falcon:falcon_512:Falcon-512 falcon:falcon_1024:Falcon-1024
  falcon:falcon_padded_512:Falcon-padded-512 falcon:falcon_padded_1024:Falcon-padded-1024
  falcon:falcon_ct_512:Falcon-CT-512 falcon:falcon_ct_1024:Falcon-CT-1024
  ml_kem:ml_kem_512:ML-KEM-512 ml_kem:ml_kem_768:ML-KEM-768 ml_kem:ml_kem_1024:ML-KEM-1024
  ntru_prime:sntrup653:sntrup653 ntru_prime:sntrup761:sntrup761 ntru_prime:sntrup857:sntrup857
  ntru_prime:sntrup953:sntrup953 ntru_prime:sntrup1013:sntrup1013 ntru_prime:sntrup1277:sntrup1277
  ntru_prime:ntrulpr653:ntrulpr653 ntru_prime:ntrulpr761:ntrulpr761 ntru_prime:ntrulpr857:ntrulpr857
  ntru_prime:ntrulpr953:ntrulpr953 ntru_prime:ntrulpr1013:ntrulpr1013
  ntru_prime:ntrulpr1277:ntrulpr1277)
# The library for devices has the transform of one ring, that of sntrup761 and ntrulpr761.
set(girih_absent_on_devices "^ntru_prime:[a-z]*(653|857|953|1013|1277):")

set(GIRIH_ALGORITHMS "all" CACHE STRING
  "Which algorithms are built: all, or a list of names and families (ml-dsa-65;falcon;sntrup)")
set(GIRIH_ENGINES "all" CACHE STRING
  "Which engines are built besides portable, which always is: all, or a list of names (avx2;avx512)")

# girih_chosen_algorithms(RESULT): the chosen entries of girih_every_algorithm.
function(girih_chosen_algorithms result)
  if(GIRIH_DEVICE)
    list(FILTER girih_every_algorithm EXCLUDE REGEX "${girih_absent_on_devices}")
    set(place_of_names " of the library for devices")
  endif()
  if(GIRIH_ALGORITHMS STREQUAL "all")
    set(${result} ${girih_every_algorithm} PARENT_SCOPE)
    return()
  endif()
  set(chosen "")
  foreach(choice IN LISTS GIRIH_ALGORITHMS)
    string(TOLOWER "${choice}" choice)
    set(meant ${girih_every_algorithm})
    if(choice STREQUAL "ntru-prime")
      list(FILTER meant INCLUDE REGEX "^ntru_prime:")
    else()
      set(meant "")
      foreach(algorithm IN LISTS girih_every_algorithm)
        string(REGEX REPLACE ".*:" "" name "${algorithm}")
        string(TOLOWER "${name}" name)
        string(FIND "${name}" "${choice}" place)
        string(REGEX MATCH "[0-9]" has_number "${choice}")
        if(name STREQUAL choice OR (place EQUAL 0 AND NOT has_number))
          list(APPEND meant "${algorithm}")
        endif()
      endforeach()
    endif()
    if(NOT meant)
      message(FATAL_ERROR "girih: GIRIH_ALGORITHMS names '${choice}', "
        "which is not an algorithm or family${place_of_names}")
    endif()
    list(APPEND chosen ${meant})
  endforeach()
  if(NOT chosen)
    message(FATAL_ERROR "girih: GIRIH_ALGORITHMS names no algorithm")
  endif()
  set(in_order ${girih_every_algorithm})
  foreach(algorithm IN LISTS girih_every_algorithm)
    if(NOT algorithm IN_LIST chosen)
      list(REMOVE_ITEM in_order "${algorithm}")
    endif()
  endforeach()
  set(${result} ${in_order} PARENT_SCOPE)
endfunction()

# The vector engines of each family of processors in src/isa/family.hpp.
set(girih_engines_of_x86_64 avx2 avx512)
set(girih_engines_of_aarch64 neon neon_sha3)
set(girih_engines_of_wasm wasm_simd128)

# girih_compiler_families(RESULT): the families that the compiler makes code for. A universal build
# compiles each source for all of CMAKE_OSX_ARCHITECTURES, and may have several.
function(girih_compiler_families result)
  set(families "")
  set(architectures ${CMAKE_OSX_ARCHITECTURES})
  if(NOT architectures)
    set(architectures default)
  endif()
  foreach(architecture IN LISTS architectures)
    if(CMAKE_OSX_ARCHITECTURES)
      set(CMAKE_OSX_ARCHITECTURES ${architecture})
    endif()
    try_compile(compiles ${CMAKE_CURRENT_BINARY_DIR}/family SOURCES ${PROJECT_SOURCE_DIR}/cmake/family.cpp
      CMAKE_FLAGS -DINCLUDE_DIRECTORIES=${PROJECT_SOURCE_DIR}/src OUTPUT_VARIABLE output)
    unset(compiles CACHE)  # so that another choice of flags is seen
    if(NOT output MATCHES "girih-family: ([a-z0-9_]+)")
      message(FATAL_ERROR "girih: the compiler does not tell its family of processors:\n${output}")
    endif()
    list(APPEND families ${CMAKE_MATCH_1})
  endforeach()
  list(REMOVE_DUPLICATES families)
  set(${result} ${families} PARENT_SCOPE)
endfunction()

# girih_chosen_engines(RESULT WITHOUT): the chosen vector engines of girih_families, and the
# definitions that leave all others out of src/engines/built.hpp.
function(girih_chosen_engines result without)
  set(possible "")
  foreach(family IN LISTS girih_families)
    list(APPEND possible ${girih_engines_of_${family}})
  endforeach()
  set(chosen ${possible})
  if(NOT GIRIH_ENGINES STREQUAL "all")
    set(chosen ${GIRIH_ENGINES})
    list(REMOVE_ITEM chosen portable)
    foreach(engine IN LISTS chosen)
      if(NOT engine IN_LIST possible)
        list(JOIN possible ", " possible)
        message(FATAL_ERROR
          "girih: GIRIH_ENGINES names '${engine}'; this processor can have: portable, ${possible}")
      endif()
    endforeach()
  endif()
  set(left_out ${girih_engines_of_x86_64} ${girih_engines_of_aarch64} ${girih_engines_of_wasm})
  list(REMOVE_ITEM left_out ${chosen})
  list(TRANSFORM left_out PREPEND GIRIH_WITHOUT_)
  set(${result} ${chosen} PARENT_SCOPE)
  set(${without} ${left_out} PARENT_SCOPE)
endfunction()
