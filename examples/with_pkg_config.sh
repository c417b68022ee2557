#!/bin/sh
# Builds and runs two of the examples with what pkg-config says: with_pkg_config.sh FOLDER
set -eu
examples=$(dirname "$0")
mkdir -p "$1"

# shellcheck disable=SC2046  # they are several words
${CC:-cc} "$examples/signature.c" -o "$1/signature" $(pkg-config --cflags --libs girih)
# shellcheck disable=SC2046
${CC:-cc} "$examples/key_files.c" -o "$1/key_files" $(pkg-config --cflags --libs girih-key-files)

LD_LIBRARY_PATH=$(pkg-config --variable=libdir girih)
export LD_LIBRARY_PATH
"$1/signature"
"$1/key_files"
