/* The exports of every library in the race: a list of contenders, and batches of operations
 * ("jobs") to run.
 *
 * The race makes a job from its inputs (not timed), runs it (timed: one call for a stretch of the
 * batch, with the loop inside), reads its outputs (not timed) and drops it. The inputs and outputs
 * of each operation are listed in src/lib.rs.
 */
#ifndef GIRIH_CONTENDER_H
#define GIRIH_CONTENDER_H

#include <stddef.h>
#include <stdint.h>

/* NOLINTBEGIN(modernize-use-using, readability-identifier-naming): C */
typedef struct contender_bytes {
    const uint8_t* data;
    size_t bytes;
} contender_bytes;
/* NOLINTEND(modernize-use-using, readability-identifier-naming) */

#ifndef CONTENDER_TYPES_ONLY /* for cgo, which declares the functions itself and knows no const */
#    ifdef __cplusplus
extern "C" {
#    endif

/* One line per contender, fields separated by tabs: name, package, code ("portable", "assembly" or
 * "vector"), note. Lives for ever. */
const char* contender_list(void);

/* A job of the contender with this index in the list, or 0 if it does not offer the operation. */
uintptr_t contender_job(size_t contender, const char* algorithm, const char* operation,
                        const contender_bytes* inputs, size_t count);

/* Runs the operations of the batch from `first` up to but not including `end`, or up to the last
 * one. Returns 0 if all succeeded. */
int contender_run(uintptr_t job, size_t first, size_t end);

/* Copies an output of the job if it fits, and returns its length; SIZE_MAX if there is none. */
size_t contender_output(uintptr_t job, size_t index, uint8_t* out, size_t capacity);

void contender_drop(uintptr_t job);

/* Called between turns, not timed: the library does its background work now. */
void contender_rest(void);

#    ifdef __cplusplus
}
#    endif
#endif
#endif
