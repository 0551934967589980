# With both versions of each place, some code has types that the original would not have.
add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include ${CMAKE_CURRENT_LIST_DIR}/switch.h>"
                    $<$<COMPILE_LANGUAGE:CXX>:-w> $<$<COMPILE_LANGUAGE:CXX>:-Wno-c++11-narrowing>
                    $<$<COMPILE_LANGUAGE:CXX>:-Wno-invalid-constexpr>)

# Compiles hand-written code in small batches, so that a change to one source is built quickly.
function(tally_small_batches)
  foreach(target tally_base tally_sdk tally_bulk tally_outbox tally_fake_service tally_fake_http tally_codegen_lib)
    if(TARGET ${target})
      set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE 4)
    endif()
  endforeach()
endfunction()
cmake_language(DEFER CALL tally_small_batches)

# No suite runs the examples: see LEFT_OUT in suites.py.
cmake_language(DEFER CALL set_property DIRECTORY ${PROJECT_SOURCE_DIR}/examples PROPERTY EXCLUDE_FROM_ALL TRUE)
