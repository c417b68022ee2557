#!/bin/sh
# Neither the assembly nor an image compiles for a Cortex-M4, and both say which core they are for:
# another_core.sh COMPILER SOURCES
compiler=$1
cd "$2" || exit 2
errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
bad=0
for file in isa/cortex_m/assembly/*.S ../firmware/startup/startup.cpp; do
    "$compiler" -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 -I. -I../firmware -c "$file" -o /dev/null \
        2>"$errors"
    grep -q '#error.*Cortex-M7' "$errors" || { echo "$file is taken for a Cortex-M4, or does not say why not" && bad=1; }
done
exit $bad
