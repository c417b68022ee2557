#!/usr/bin/env bash
# Builds and runs the consumers with what pkg-config says: pkg_config.sh shared|static
# PREFIX FOLDER SOURCES
set -euo pipefail

kind=$1 prefix=$2 folder=$3 sources=$4
rm -rf "$folder"
mkdir -p "$folder"
libraries=$folder/installation
cp -R "$prefix" "$libraries"
PKG_CONFIG_PATH=$(dirname "$(find "$libraries" -name girih.pc)")
export PKG_CONFIG_PATH

options=()
if [ "$kind" = static ]; then
    # The linker takes a shared library where there is one.
    find "$libraries" -name 'libgirih.so*' -delete
    options=(--static)
fi
read -ra flags <<<"$("$PKG_CONFIG" "${options[@]}" --cflags --libs girih)"
read -ra cflags <<<"${CFLAGS:-}"
read -ra cxxflags <<<"${CXXFLAGS:-}"
# Windows knows a program by its name.
"$CC" "${cflags[@]}" "$sources/consumer.c" -o "$folder/c.exe" "${flags[@]}"
"$CXX" -std=c++20 "${cxxflags[@]}" "$sources/consumer.cpp" -o "$folder/cpp.exe" "${flags[@]}"

LD_LIBRARY_PATH=$("$PKG_CONFIG" --variable=libdir girih)
export LD_LIBRARY_PATH
read -ra emulator <<<"${EMULATOR:-}"
"${emulator[@]}" "$folder/c.exe"
"${emulator[@]}" "$folder/cpp.exe"
echo "both consumers ran with the $kind library: ${flags[*]}"
