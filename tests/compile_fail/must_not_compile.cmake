# cmake -DCOMPILE=<command> -DSOURCE=<file> -DEXPECTED=<regex> -P must_not_compile.cmake

execute_process(COMMAND ${COMPILE} -fsyntax-only "${SOURCE}"
  RESULT_VARIABLE status ERROR_VARIABLE said)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "must compile without MUST_NOT_COMPILE, but:\n${said}")
endif()

execute_process(COMMAND ${COMPILE} -fsyntax-only -DMUST_NOT_COMPILE "${SOURCE}"
  RESULT_VARIABLE status ERROR_VARIABLE said)
if(status EQUAL 0)
  message(FATAL_ERROR "compiles with MUST_NOT_COMPILE")
elseif(NOT said MATCHES "${EXPECTED}")
  message(FATAL_ERROR "does not compile, but not because of `${EXPECTED}`:\n${said}")
endif()
