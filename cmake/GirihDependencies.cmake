# Libraries of others, for the command, the tests and the benchmarks; the core library has none.
# Each is taken from the system when it is there, and else fetched at a pinned version and hash.

include(FetchContent)

function(girih_dependency package minimum url sha256)
  find_package(${package} ${minimum} QUIET)
  if(${package}_FOUND)
    return()
  endif()
  message(STATUS "girih: ${package} is not installed; fetching ${url}")
  FetchContent_Declare(${package} URL ${url} URL_HASH SHA256=${sha256} DOWNLOAD_EXTRACT_TIMESTAMP OFF SYSTEM)
  FetchContent_MakeAvailable(${package})
endfunction()
