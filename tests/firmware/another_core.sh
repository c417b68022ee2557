#!/bin/sh
# Assembly for no Cortex-M does not compile, nor does an image for another core than the Cortex-M7,
# and the errors say what to do: another_core.sh COMPILER SOURCES
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
# tools/division_check finds the products of 64 bits that it has to.
object=$(mktemp)
trap 'rm -f "$errors" "$object"' EXIT
for core in cortex-m0plus cortex-m3; do
    echo "unsigned long long f(unsigned a, unsigned b) { return (unsigned long long)a * b; }" |
        "$compiler" -mcpu=$core -mthumb -Os -x c -c - -o "$object" || bad=1
    ../tools/division_check --objdump "${compiler%gcc}objdump" "$object" >"$errors" || { cat "$errors" && bad=1; }
    ../tools/division_check --objdump "${compiler%gcc}objdump" --no-long-products "$object" >"$errors" &&
        echo "a product of 64 bits on $core was not found" && bad=1
done
exit $bad
