#!/usr/bin/env bash
# The answers of pkg-config about an installation whose folders are absolute, one of them or both:
# absolute_folders.sh SOURCES CMAKE-OPTION...
set -euo pipefail

sources=$1
shift
folder=$(mktemp -d)  # CMake refuses folders among the sources
trap 'rm -rf "$folder"' EXIT
prefix=$folder/prefix elsewhere=$folder/elsewhere

# expect LIBDIR INCLUDEDIR: as CMake is told them; and where that is.
expect() {
    local libdir=$1 includedir=$2 flags wanted
    cmake -S "$sources" -B "$folder/build" "${options[@]}" -DGIRIH_ALGORITHMS=ml-kem-512 -DGIRIH_ENGINES=portable \
        -DGIRIH_BUILD_COMMAND=OFF -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR="$libdir" \
        -DCMAKE_INSTALL_INCLUDEDIR="$includedir" >"$folder/log"
    [[ $libdir = /* ]] || libdir=$prefix/$libdir
    [[ $includedir = /* ]] || includedir=$prefix/$includedir
    mkdir -p "$libdir/pkgconfig"
    cp "$folder/build/girih.pc" "$libdir/pkgconfig"
    flags=$(for dir in includedir libdir; do
        realpath -m "$(PKG_CONFIG_PATH=$libdir/pkgconfig "$PKG_CONFIG" --variable=$dir girih)"
    done)
    wanted=$includedir$'\n'$libdir
    [ "$flags" = "$wanted" ] || { echo "$*: pkg-config says"; echo "$flags"; exit 1; }
}

options=("$@")
expect lib include
expect "$elsewhere/lib" include
expect lib "$elsewhere/include"
expect "$elsewhere/lib" "$elsewhere/include"
