#!/bin/sh
# Assembly for no Cortex-M does not compile, nor does an image for another core than the Cortex-M7,
# and a library for a larger core than the program's is not linked. The errors say why:
# another_core.sh COMPILER SOURCES
compiler=$1
cd "$2" || exit 2
errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
bad=0
refused() { # refused FILE TEXT FLAG...: the compiler refuses the file with an error that has the text
    file=$1 text=$2
    shift 2
    "$compiler" "$@" -I. -I../firmware -c "$file" -o /dev/null 2>"$errors"
    grep -q "#error.*$text" "$errors" || { echo "$file with $* is accepted, or does not say why not" && bad=1; }
}
for file in isa/cortex_m/assembly/*.S; do
    refused "$file" "-mcpu=cortex-m4"
    refused "$file" "-mcpu=cortex-m4" -mcpu=cortex-a9 -mthumb
done
refused ../firmware/startup/startup.cpp Cortex-M7 -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16

parts=$(mktemp -d)
trap 'rm -rf "$errors" "$parts"' EXIT
cat >"$parts/library.c" <<END
#include <girih/device_core.h>
int library(void) { __asm__ volatile(GIRIH_CORE_FEATURES); return 0; }
END
cat >"$parts/program.c" <<END
#include <girih/girih.h>
int library(void);
int program(void) { return library(); }
END
hard=-mfloat-abi=hard
linked() { # linked LIBRARY PROGRAM: their options; the errors are kept
    # shellcheck disable=SC2086 # options
    "$compiler" -mthumb $1 -DGIRIH_DEVICE_PLAN=small -I../include -c "$parts/library.c" -o "$parts/library.o" &&
        "$compiler" -mthumb $2 -I../include -c "$parts/program.c" -o "$parts/program.o" &&
        "$compiler" -mthumb $2 -nostdlib -Wl,--gc-sections,--entry=program "$parts/program.o" "$parts/library.o" \
            -o "$parts/linked" 2>"$errors"
}
runs_on() { # runs_on LIBRARY PROGRAM
    linked "$1" "$2" || { cat "$errors" && echo "a library for $1 is not linked with a program for $2" && bad=1; }
}
lacks() { # lacks FEATURE LIBRARY PROGRAM: the program's core lacks the feature
    linked "$2" "$3" && echo "a library for $2 is linked with a program for $3" && bad=1
    grep -q "undefined reference to .girih_core_has_$1'" "$errors" || { cat "$errors" && bad=1; }
}
runs_on "-mcpu=cortex-m0plus" "-mcpu=cortex-m4+nofp"
runs_on "-mcpu=cortex-m4 $hard" "-mcpu=cortex-m4 $hard"
runs_on "-mcpu=cortex-m4 $hard" "-mcpu=cortex-m7 $hard"
runs_on "-mcpu=cortex-m33 $hard" "-mcpu=cortex-m55 $hard"
lacks thumb2 "-mcpu=cortex-m3" "-mcpu=cortex-m0plus"
lacks dsp "-mcpu=cortex-m4+nofp" "-mcpu=cortex-m3"
lacks float "-mcpu=cortex-m4 -mfloat-abi=softfp" "-mcpu=cortex-m4+nofp"
lacks double "-mcpu=cortex-m7 $hard" "-mcpu=cortex-m4 $hard"
lacks armv8m "-mcpu=cortex-m33 $hard" "-mcpu=cortex-m4 $hard"
lacks mve "-mcpu=cortex-m55 $hard" "-mcpu=cortex-m33 $hard"

# tools/division_check finds the products of 64 bits that it has to.
object=$parts/object
for core in cortex-m0plus cortex-m3; do
    echo "unsigned long long f(unsigned a, unsigned b) { return (unsigned long long)a * b; }" |
        "$compiler" -mcpu=$core -mthumb -Os -x c -c - -o "$object" || bad=1
    ../tools/division_check --objdump "${compiler%gcc}objdump" "$object" >"$errors" || { cat "$errors" && bad=1; }
    ../tools/division_check --objdump "${compiler%gcc}objdump" --no-long-products "$object" >"$errors" &&
        echo "a product of 64 bits on $core was not found" && bad=1
done
exit $bad
