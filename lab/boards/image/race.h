/// The interface of a peer: operations that race.cpp runs and counts.
#ifndef GIRIH_RACE_H
#define GIRIH_RACE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Operations run in the order of the list, each many times, and find the results of the last run
/// of those before. Return 0 on success.
typedef struct {
    const char* name;
    int (*run)(void);
} race_operation;

/// The peer's operations; the last entry has no name.
extern const race_operation race_operations[];

/// Defines that list. RACE_VERIFY_ALONE and RACE_NOTHING make images for their size alone.
#if RACE_NOTHING
#    define RACE_LIST(...) const race_operation race_operations[] = {{NULL, NULL}};
#else
#    define RACE_LIST(...) const race_operation race_operations[] = {__VA_ARGS__, {NULL, NULL}};
#endif
#if RACE_VERIFY_ALONE
#    define RACE_SIGNATURE(keygen, sign, verify) RACE_LIST({"verify", verify})
#else
#    define RACE_SIGNATURE(keygen, sign, verify) \
        RACE_LIST({"keygen", keygen}, {"sign", sign}, {"verify", verify})
#endif
#define RACE_KEM(keygen, encapsulate, decapsulate) \
    RACE_LIST({"keygen", keygen}, {"encapsulate", encapsulate}, {"decapsulate", decapsulate})

/// The board's random bytes, which an emulator repeats at every start.
void race_random(uint8_t* out, size_t size);

/// A new message of race_message_bytes for each call.
enum { race_message_bytes = 32 };
const uint8_t* race_next_message(void);

#ifdef __cplusplus
}
#endif

#endif
