# cmake --install: the libraries, the headers, the command, find_package(girih) and
# pkg-config's girih.pc.
#
# Its components are library (the shared one), development, command and provider; without a
# component, everything is installed.

include(CMakePackageConfigHelpers)

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/girih)
install(TARGETS girih EXPORT girih_targets COMPONENT development)
if(GIRIH_SHARED)
  install(TARGETS girih_shared EXPORT girih_targets
    RUNTIME COMPONENT library
    ARCHIVE COMPONENT development
    LIBRARY COMPONENT library NAMELINK_COMPONENT development)
endif()
set(without_headers "")
if(NOT GIRIH_BUILD_COMMAND)
  set(without_headers PATTERN "*key_files*" EXCLUDE)
endif()
install(DIRECTORY include/girih TYPE INCLUDE COMPONENT development ${without_headers})
if(GIRIH_BUILD_COMMAND)
  install(TARGETS girih_key_files EXPORT girih_targets COMPONENT development)
  install(TARGETS girih_command COMPONENT command)
  if(TARGET girih_board)
    install(TARGETS girih_board COMPONENT command)
  endif()
  if(TARGET girih_command_documents)
    install(DIRECTORY ${PROJECT_BINARY_DIR}/share/ DESTINATION ${CMAKE_INSTALL_DATAROOTDIR} COMPONENT command
      OPTIONAL)
  endif()
endif()
if(GIRIH_BUILD_PROVIDER)
  install(TARGETS girih_provider LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/ossl-modules COMPONENT provider)
endif()
install(EXPORT girih_targets NAMESPACE girih:: DESTINATION ${config_dir} FILE girih-targets.cmake
  COMPONENT development)
configure_file(cmake/girih-config.cmake.in girih-config.cmake @ONLY)
write_basic_package_version_file(girih-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/girih-config.cmake ${PROJECT_BINARY_DIR}/girih-config-version.cmake
  DESTINATION ${config_dir} COMPONENT development)

# girih.pc derives its prefix from its own place, so that an installation may be moved, unless its
# folder is outside the prefix.
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  set(pc_prefix ${CMAKE_INSTALL_PREFIX})
else()
  file(RELATIVE_PATH pc_prefix /${pkgconfig_dir} /)
  string(PREPEND pc_prefix "\${pcfiledir}/")
endif()
foreach(dir LIBDIR INCLUDEDIR)
  set(pc_${dir} "\${prefix}")
  cmake_path(APPEND pc_${dir} "${CMAKE_INSTALL_${dir}}")  # an absolute path replaces the prefix
endforeach()
list(TRANSFORM girih_system_libraries PREPEND -l OUTPUT_VARIABLE private_libraries)
list(JOIN private_libraries " " private_libraries)
set(public_libraries "")
if(NOT GIRIH_SHARED)
  set(public_libraries ${private_libraries})
endif()
configure_file(cmake/girih.pc.in girih.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/girih.pc DESTINATION ${pkgconfig_dir} COMPONENT development)

# The library of key files is static and written in C++, so a C compiler that links it needs C++'s
# library.
if(GIRIH_BUILD_COMMAND)
  set(girih_cxx_libraries ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
  list(FILTER girih_cxx_libraries INCLUDE REGEX "c\\+\\+")
  list(TRANSFORM girih_cxx_libraries PREPEND "-l")
  list(JOIN girih_cxx_libraries " " girih_cxx_libraries)
  configure_file(cmake/girih-key-files.pc.in girih-key-files.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/girih-key-files.pc DESTINATION ${pkgconfig_dir} COMPONENT development)
endif()
