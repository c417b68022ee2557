/// What a peer of the race offers: operations, each of which race.cpp runs and counts.
#ifndef GIRIH_RACE_H
#define GIRIH_RACE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Runs in the order of the list, each many times: an operation finds what the last run of those
/// before it left. 0 if it succeeded.
typedef struct {
    const char* name;
    int (*run)(void);
} race_operation;

/// The peer's own; the last one has no name.
extern const race_operation race_operations[];

/// The board's, which an emulator repeats at every start.
void race_random(uint8_t* out, size_t size);

/// Another message of race_message_bytes for each call.
enum { race_message_bytes = 32 };
const uint8_t* race_next_message(void);

#ifdef __cplusplus
}
#endif

#endif
