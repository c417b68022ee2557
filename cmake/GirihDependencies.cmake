# Dependencies of the command, the tests and the benchmarks; the core library has none. Each comes
# from the system if installed, else it is fetched at a pinned version and hash.

include(FetchContent)

# girih_headers_alone(TARGET): gives a header-only library from /usr/include a folder of its own,
# without the system's C headers, which are wrong for another system.
function(girih_headers_alone target)
  string(REGEX REPLACE "::.*" "" package ${target})
  set(folder_of_CLI11 CLI)
  set(folder_of_nlohmann_json nlohmann)
  set(headers ${CMAKE_BINARY_DIR}/headers/${package})
  file(MAKE_DIRECTORY ${headers})
  file(CREATE_LINK /usr/include/${folder_of_${package}} ${headers}/${folder_of_${package}} SYMBOLIC)
  set_target_properties(${target} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${headers})
endfunction()

# girih_dependency(PACKAGE MINIMUM URL SHA256)
function(girih_dependency package minimum url sha256)
  find_package(${package} ${minimum} QUIET)
  if(${package}_FOUND)
    if(CMAKE_CROSSCOMPILING)
      get_target_property(headers ${package}::${package} INTERFACE_INCLUDE_DIRECTORIES)
      if("/usr/include" IN_LIST headers)
        girih_headers_alone(${package}::${package})
      endif()
    endif()
    return()
  endif()
  message(STATUS "girih: ${package} is not installed; fetching ${url}")
  set(options "")
  if(CMAKE_VERSION VERSION_GREATER_EQUAL 3.25)
    set(options DOWNLOAD_EXTRACT_TIMESTAMP OFF SYSTEM)
  endif()
  FetchContent_Declare(${package} URL ${url} URL_HASH SHA256=${sha256} ${options})
  FetchContent_MakeAvailable(${package})
endfunction()
