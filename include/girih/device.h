/* girih on a device without an operating system (GIRIH_DEVICE): what the application provides, and
 * functions that only that library has.
 *
 * It has the functions of girih.h, with the same bytes and errors, but no batches, prepared keys,
 * signed messages or girih_falcon_reference_keygen. Pre-hashes are GIRIH_ERROR_PRE_HASH. It has no
 * memory for copies: an output that shares a byte with an input, with options, or with what they
 * point to is GIRIH_ERROR_OVERLAP, and nothing is written. */
#ifndef GIRIH_DEVICE_H
#define GIRIH_DEVICE_H

#include <girih/girih.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The application's source of random bytes, asked where a girih_random is null: writes `bytes`
 * bytes to `out` and returns 0, or any other value if it fails. Without this function, such calls
 * are GIRIH_ERROR_RANDOM. The reference is weak: link the object that defines it, not an
 * archive. */
int girih_device_random(uint8_t* out, size_t bytes);

/* Calls function(argument) on other memory than the stack in use, for operations that need more
 * than a task has. GIRIH_..._STACK_BYTES in girih/stack.h say how much; interrupts that the
 * processor takes on the same stack need theirs besides. On ARMv8-M, the stack limit of the stack
 * pointer in use is the memory's meanwhile. */
void girih_on_stack(void* memory, size_t bytes, void (*function)(void* argument), void* argument);

#ifdef __cplusplus
}
#endif

#endif
