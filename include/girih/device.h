/* girih on a device without an operating system (GIRIH_DEVICE): what the application provides, and
 * functions that only that library has.
 *
 * It has the functions of girih.h, with the same bytes and errors, but no batches, prepared keys,
 * signed messages or girih_falcon_reference_keygen. Pre-hashes are GIRIH_ERROR_PRE_HASH. It makes
 * no copies: an output that shares a byte with an input, with the options, or with anything that
 * they point to is GIRIH_ERROR_OVERLAP, and nothing is written. */
#ifndef GIRIH_DEVICE_H
#define GIRIH_DEVICE_H

#include <girih/girih.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The application's source of random bytes, used where a girih_random is null: writes `bytes` bytes
 * to `out` and returns 0, or any other value if it fails. Without this function, such calls are
 * GIRIH_ERROR_RANDOM. The reference is weak: link the object that defines it, not an archive. */
int girih_device_random(uint8_t* out, size_t bytes);

/* Calls function(argument) with `memory` as its stack, for operations that need more stack than a
 * task has. GIRIH_..._STACK_BYTES in girih/stack.h say how much; interrupts that the processor
 * takes on the same stack need theirs in addition. During the call on ARMv8-M, the limit of the
 * stack pointer in use is the memory's. */
void girih_on_stack(void* memory, size_t bytes, void (*function)(void* argument), void* argument);

#ifdef __cplusplus
}
#endif

#endif
