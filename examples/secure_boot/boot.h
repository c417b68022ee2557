/* An image in flash, and whether it may start. Nothing here depends on a board: the test compiles
 * it for this machine, too.
 *
 *     slot + 0                  header, BOOT_HEADER_BYTES, its rest zeros
 *     slot + header             payload, which begins with the vector table
 *     slot + header + payload   trailer: boot_info, boot_entry, signature of header and payload
 *
 * All numbers are little-endian, as the processor's are. */
#ifndef BOOT_H
#define BOOT_H

#include <stddef.h>
#include <stdint.h>

/* The vector table behind the header needs this alignment: 32 interrupts and 16 exceptions, 4 bytes
 * each, rounded up to a power of two. */
#define BOOT_HEADER_BYTES 512

#define BOOT_HEADER_MAGIC 0x69726967u /* "giri" */
#define BOOT_TRAILER_MAGIC 0x7468u    /* "ht" */
#define BOOT_TYPE_ML_DSA_44 0x0044u
#define BOOT_TYPE_FALCON_512 0x0512u

typedef struct boot_header {
    uint32_t magic;
    uint16_t header_bytes;
    uint16_t type; /* of the signature that is expected */
    uint32_t payload_bytes;
    uint32_t counter;     /* never goes back: anti-rollback */
    uint8_t major, minor; /* the version is for people */
    uint16_t revision;
    uint32_t build;
} boot_header;

typedef struct boot_info {
    uint16_t magic;
    uint16_t bytes; /* of the trailer, these included */
} boot_info;

typedef struct boot_entry {
    uint16_t type;
    uint16_t bytes; /* of the signature, which follows */
} boot_entry;

/* A place for one image in flash that the processor reads like memory. */
typedef struct boot_slot {
    const uint8_t* begin;
    size_t bytes;
    uint32_t least_counter; /* that an image may have */
    uint32_t most_counter;
} boot_slot;

/* BOOT_GOOD differs from every other verdict, from 0, from -1 and from addresses by more bits than
 * a fault flips. A signature that does not verify gives a verdict that has no name. */
typedef enum boot_verdict {
    BOOT_NO_IMAGE = 1,
    BOOT_WRONG_HEADER = 2,
    BOOT_TOO_OLD = 3,
    BOOT_WRONG_TRAILER = 4,
    BOOT_GOOD = 0x5AC3963C
} boot_verdict;

/* The whole verdict: header, counter, trailer and signature, from flash as it is now. */
boot_verdict boot_check(const boot_slot* slot);

/* Another verdict, by a copy of the key. Then a bit of the copy is changed: `refusal` is BOOT_GOOD
 * if the image has a wrong signature now, and nothing else is wrong. A fault that stays, and makes
 * a bad signature verify by the copy, makes it verify now, too: the keys are in one place, since
 * what such a fault does may depend on addresses. */
boot_verdict boot_check_both_keys(const boot_slot* slot, volatile boot_verdict* refusal);

#endif
