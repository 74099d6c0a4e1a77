#!/bin/sh
# Compiles one file, through ccache if it is installed: an object that any build of any tree on this
# machine has made before is copied. GOSSAMER_COMPILER_CACHE=OFF compiles always.
#
#   compile.sh SOURCE_FOLDER COMPILER ARGUMENT...

set -eu
CCACHE_BASEDIR=$1
shift

if [ "${GOSSAMER_COMPILER_CACHE-}" = OFF ] || ! command -v ccache >/dev/null; then
  exec "$@"
fi

# ccache does not know that what follows -Xclang may be a path.
for argument; do
  shift
  set -- "$@" "${argument#"$PWD"/}"
done

# A precompiled header contains paths, so it is compiled in each folder, and what is compiled behind
# it depends on the contents of the headers in it. ccache reads the checksum beside it
# (pch_external_checksum).
case " $* " in
  *' -emit-pch '*)
    "$@"
    for argument; do
      case $argument in
        *.pch.d) dependencies=$argument ;;
        *.pch) header=$argument ;;
      esac
    done
    # What it includes by an absolute path, in a file of CMake, is among the dependencies.
    sed -e 's/^[^ ]*: *//' -e 's/\\$//' "$dependencies" | xargs cat | grep -v '^#include "/' |
      sha256sum >"$header.sum"
    exit
    ;;
esac

# CCACHE_DEPEND: the compiler's list of headers tells what an object is made of, so nothing is
# preprocessed to find out.
export CCACHE_BASEDIR CCACHE_DEPEND=1 CCACHE_NOHASHDIR=1 CCACHE_PCH_EXTSUM=1
export CCACHE_SLOPPINESS=pch_defines,time_macros,locale
exec ccache "$@"
