# girih of the checkout, or of the unpacked release, that this port lies in.

vcpkg_check_linkage(ONLY_STATIC_LIBRARY)
get_filename_component(source "${CURRENT_PORT_DIR}/../../.." ABSOLUTE)
vcpkg_check_features(OUT_FEATURE_OPTIONS features FEATURES key-files GIRIH_BUILD_COMMAND)

vcpkg_cmake_configure(SOURCE_PATH "${source}" OPTIONS ${features} -DGIRIH_SHARED=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/girih)
vcpkg_fixup_pkgconfig()
if("key-files" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES girih AUTO_CLEAN)
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")

file(INSTALL "${CURRENT_PORT_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${source}/LICENSE" "${source}/LICENSE-MIT" "${source}/LICENSE-APACHE")
