# cpack: Debian packages, one for each component of the installation. `make packages` makes them
# all, for /usr, and tries them.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "girih's maintainers <maintainers@girih.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # otherwise it would precede each package's own
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# girih_package(COMPONENT NAME SECTION SUMMARY TEXT): the package of a component.
set(CPACK_COMPONENTS_ALL "")
macro(girih_package component name section summary text)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  string(TOUPPER ${component} COMPONENT)
  set(CPACK_DEBIAN_${COMPONENT}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${COMPONENT}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${COMPONENT}_DESCRIPTION "lattice-based cryptography, ${summary}\n${text}")
  install(FILES packaging/debian/copyright DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${name}
    COMPONENT ${component} EXCLUDE_FROM_ALL)
endmacro()

set(schemes "Signatures (ML-DSA, Dilithium, Falcon) and key encapsulation (ML-KEM,
NTRU Prime).")
if(GIRIH_SHARED)
  set(library_package libgirih${girih_soversion})
  girih_package(library ${library_package} libs "the shared library" "${schemes}")
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "${library_package} (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
endif()
girih_package(development libgirih-dev libdevel "for development" "${schemes}
Headers for C and C++, the static libraries, and what CMake and pkg-config read.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
if(GIRIH_BUILD_COMMAND)
  girih_package(command girih utils "the command" "Makes keys, signs and verifies files, encapsulates keys, and reads and
writes key files.
${schemes}")
endif()
if(CMAKE_CROSSCOMPILING)
  # dpkg-shlibdeps would name the packages that the cross compiler's libraries are in. These are
  # Debian 12's.
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS OFF)
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS "libc6 (>= 2.36)")
  set(CPACK_DEBIAN_COMMAND_PACKAGE_DEPENDS "libc6 (>= 2.36), libgcc-s1, libstdc++6 (>= 12)")
endif()
if(GIRIH_BUILD_PROVIDER)
  girih_package(provider girih-openssl-provider libs "the provider for OpenSSL" "Gives OpenSSL's commands, and the programs that use it, keys,
certificates, CMS and TLS of ML-DSA, Falcon, ML-KEM and sntrup761.")
endif()
include(CPack)
