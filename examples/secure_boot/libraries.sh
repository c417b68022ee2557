#!/bin/sh
# girih for the boards' processors: libraries.sh BUILD installs in BUILD/cortex-m4, cortex-m33 and
# cortex-m0plus.
set -eu
girih=$(cd "$(dirname "$0")/../.." && pwd)
for core in cortex-m4 cortex-m33 cortex-m0plus; do
    cmake -S "$girih" -B "$1/build-$core" -G Ninja --log-level=NOTICE -DCMAKE_BUILD_TYPE=MinSizeRel \
        -DCMAKE_TOOLCHAIN_FILE="$girih/cmake/toolchains/arm-none-eabi.cmake" -DGIRIH_CORE=$core \
        -DGIRIH_DEVICE=small "-DGIRIH_ALGORITHMS=ml-dsa-44;falcon-512"
    cmake --build "$1/build-$core"
    cmake --install "$1/build-$core" --prefix "$1/$core"
done
