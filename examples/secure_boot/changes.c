/* For the test, on this machine: boot_check of an image with each byte changed, and cut off at each
 * length. changes IMAGE SLOT_BYTES prints how many it checked; 1 if it takes a wrong one. */
#include "boot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static boot_slot slot;
static long checked;

static int takes(void)
{
    ++checked;
    return boot_check(&slot) == BOOT_GOOD;
}

int main(int argc, char** argv)
{
    FILE* const file = argc == 3 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL) return 2;
    slot.bytes = strtoul(argv[2], NULL, 0);
    slot.most_counter = 1024;
    uint8_t* const flash = malloc(slot.bytes);
    if (flash == NULL) return 2;
    memset(flash, 0xFF, slot.bytes);
    const size_t image_bytes = fread(flash, 1, slot.bytes, file);
    fclose(file);
    slot.begin = flash;
    if (!takes()) return puts("refuses the good image"), 1;

    for (size_t at = 0; at < image_bytes; ++at) {
        /* Each bit of the fields of the header, one of each other byte. */
        for (unsigned bit = 0; bit < 8; ++bit) {
            if (at >= sizeof(boot_header) && bit != at % 8) continue;
            flash[at] ^= (uint8_t)(1u << bit);
            if (takes()) return printf("takes bit %u of byte %zu changed\n", bit, at), 1;
            flash[at] ^= (uint8_t)(1u << bit);
        }
    }
    if (!takes()) return puts("refuses the good image again"), 1;
    for (size_t left = image_bytes; left-- > 0;) {
        if (flash[left] == 0xFF) continue; /* as erased flash */
        flash[left] = 0xFF;
        if (takes()) return printf("takes %zu of %zu bytes\n", left, image_bytes), 1;
    }
    printf("%ld\n", checked);
    free(flash);
    return 0;
}
