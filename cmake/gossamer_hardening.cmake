# Makes faults of the code harder to exploit. docs/decisions/0029-hardening.md has the price of each
# flag, and says why some are not here. tests/hardening checks the built programs.

# Tables of addresses are filled in before main() begins and are read-only from then on. No stack is
# executable.
add_link_options(LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)

# Everything can be loaded at any address, as a part of a program or of a shared library: the Python
# module is made of the same objects (docs/decisions/0033-python-bindings.md). As no symbol can be
# replaced by another library and thread-local variables are at fixed places, the code is that of a
# program.
add_compile_options(-fPIC -fvisibility=hidden -ftls-model=initial-exec)

# Release builds also guard return addresses. Sanitizers find the same faults and more.
set(GOSSAMER_HARDENING "")
set(GOSSAMER_HARDENED_LINK "")
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT GOSSAMER_SANITIZE)
  set(GOSSAMER_HARDENING -fstack-protector-strong -ftrivial-auto-var-init=zero)
  set(GOSSAMER_HARDENED_LINK -pie)
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
    list(APPEND GOSSAMER_HARDENING -mbranch-protection=standard)  # signs return addresses
  endif()
endif()

# Compiles and links a target with these flags. A precompiled header and its users need the same
# ones.
function(gossamer_harden target)
  target_compile_options(${target} PRIVATE ${GOSSAMER_HARDENING})
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    target_link_options(${target} PRIVATE ${GOSSAMER_HARDENED_LINK})
  endif()
endfunction()
