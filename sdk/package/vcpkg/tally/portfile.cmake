# An overlay port, which builds the sources that it lies in.
cmake_path(SET SOURCE_PATH NORMALIZE "${CURRENT_PORT_DIR}/../../../..")

vcpkg_check_features(
  OUT_FEATURE_OPTIONS
  FEATURE_OPTIONS
  FEATURES
  bulk
  TALLY_BUILD_BULK
  outbox
  TALLY_BUILD_OUTBOX
  fake
  TALLY_BUILD_FAKE
  fake
  TALLY_BUILD_FAKE_TLS)
vcpkg_cmake_configure(
  SOURCE_PATH
  "${SOURCE_PATH}"
  OPTIONS
  ${FEATURE_OPTIONS}
  -DTALLY_BUILD_BENCHMARKS=OFF
  -DTALLY_BUILD_CODEGEN=OFF
  -DTALLY_BUILD_EXAMPLES=OFF
  -DTALLY_BUILD_TESTS=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/tally)
vcpkg_fixup_pkgconfig()
if("fake" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES tally-fake AUTO_CLEAN)
endif()
if("bulk" IN_LIST FEATURES OR "outbox" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES tally-report AUTO_CLEAN)
endif()
if("outbox" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES tally-outbox AUTO_CLEAN)
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
