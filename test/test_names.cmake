# A name like `Foo/3  # GetParam() = 40-byte object <...>` tells nobody which case failed: parameterised tests have a
# generator of names (the last argument of INSTANTIATE_TEST_SUITE_P). Usage: cmake -DBUILD_DIR=... -P test_names.cmake
execute_process(COMMAND "${CMAKE_CTEST_COMMAND}" -N WORKING_DIRECTORY "${BUILD_DIR}"
    OUTPUT_VARIABLE listed RESULT_VARIABLE failed)
if(failed OR NOT listed MATCHES "Test +#[0-9]+: ")
    message(FATAL_ERROR "ctest lists no tests: ${listed}")
endif()
string(REPLACE "\n" ";" lines "${listed}")
foreach(line IN LISTS lines)
    if(line MATCHES "GetParam|/[0-9]+$")
        message(SEND_ERROR "a test without a readable name: ${line}")
    endif()
endforeach()
