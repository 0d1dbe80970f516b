# docs/reference.md is what sailgen writes from the specification.
execute_process(COMMAND ${SAILGEN} markdown ${SOURCE}/sail/eci.sail -o ${FRESH} RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "sailgen markdown failed")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${FRESH} ${SOURCE}/docs/reference.md RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "docs/reference.md is not current. From the root of the repository: "
    "${SAILGEN} markdown sail/eci.sail -o docs/reference.md")
endif()
