#include "boot.h"

#include <girih/girih.h>
#include <string.h>

#include "public_key.h" /* made by image.py: boot_public_key, BOOT_FALCON_512 */

#ifdef BOOT_FALCON_512
#    define TYPE BOOT_TYPE_FALCON_512
#    define ALGORITHM girih_falcon_512_verifying()
#else
#    define TYPE BOOT_TYPE_ML_DSA_44
#    define ALGORITHM girih_ml_dsa_44_verifying()
#endif

__attribute__((noinline)) static void read_flash(const boot_slot* slot, size_t at, void* out, size_t bytes)
{
    memcpy(out, slot->begin + at, bytes);
}

static int begin(girih_message* message, const uint8_t* signature, size_t signature_bytes)
{
#ifdef BOOT_FALCON_512
    return girih_message_begin_verifying(message, ALGORITHM, signature, signature_bytes, NULL);
#else
    (void)signature, (void)signature_bytes;
    return girih_message_begin(message, ALGORITHM, boot_public_key, sizeof boot_public_key, NULL);
#endif
}

static int end(girih_message* message, const uint8_t* key, const uint8_t* signature, size_t signature_bytes)
{
#ifdef BOOT_FALCON_512
    return girih_message_verify(message, key, sizeof boot_public_key, signature, signature_bytes);
#else
    uint8_t mu[GIRIH_MU_BYTES];
    return girih_message_mu(message, mu, sizeof mu) |
           girih_verify_mu(ALGORITHM, key, sizeof boot_public_key, mu, sizeof mu, signature, signature_bytes);
#endif
}

/* BOOT_GOOD if the signature is one of the first `bytes` bytes of the slot. They are hashed where
 * they are: a fault may write a copy on the stack over a return address. Errors are negative, and
 * all are joined: no branch is between the last and the verdict. */
static boot_verdict verify(const boot_slot* slot, const uint8_t* key, size_t bytes, const uint8_t* signature,
                           size_t signature_bytes)
{
    girih_message message;
    int errors = begin(&message, signature, signature_bytes);
    errors |= girih_message_update(&message, slot->begin, bytes);
    errors |= end(&message, key, signature, signature_bytes);
    return (boot_verdict)(BOOT_GOOD ^ (uint32_t)errors);
}

__attribute__((noinline)) static boot_verdict check(const boot_slot* slot, const uint8_t* key)
{
    boot_header header;
    boot_info info;
    boot_entry entry;
    /* The shortest tail. Sizes are compared with what is left, so that no sum wraps around. */
    size_t left = slot->bytes - BOOT_HEADER_BYTES - sizeof info - sizeof entry;

    read_flash(slot, 0, &header, sizeof header);
    if (header.magic != BOOT_HEADER_MAGIC) return BOOT_NO_IMAGE;
    if (header.header_bytes != BOOT_HEADER_BYTES || header.type != TYPE || header.payload_bytes > left)
        return BOOT_WRONG_HEADER;
    if (header.counter > slot->most_counter) return BOOT_WRONG_HEADER;
    if (header.counter < slot->least_counter) return BOOT_TOO_OLD;

    const size_t signed_bytes = BOOT_HEADER_BYTES + header.payload_bytes;
    const size_t signature_at = signed_bytes + sizeof info + sizeof entry;
    left -= header.payload_bytes;
    read_flash(slot, signed_bytes, &info, sizeof info);
    read_flash(slot, signed_bytes + sizeof info, &entry, sizeof entry);
    if (info.magic != BOOT_TRAILER_MAGIC || entry.type != TYPE || entry.bytes > left ||
        info.bytes != sizeof info + sizeof entry + entry.bytes)
        return BOOT_WRONG_TRAILER;

    return verify(slot, key, signed_bytes, slot->begin + signature_at, entry.bytes);
}

boot_verdict boot_check(const boot_slot* slot) { return check(slot, boot_public_key); }

boot_verdict boot_check_both_keys(const boot_slot* slot, volatile boot_verdict* refusal)
{
    uint8_t key[sizeof boot_public_key];
    const uint8_t* right = boot_public_key;
    __asm__ volatile("" : "+r"(right)); /* else the compiler keeps a second key in flash */
    memcpy(key, right, sizeof key);
    const boot_verdict verdict = check(slot, key);
    /* Another coefficient of the key, and so another product with the challenge or s2. The message
     * is hashed as under the right key. */
    key[sizeof key - 1] ^= 0x80;
    *refusal = (boot_verdict)(check(slot, key) ^ (uint32_t)GIRIH_ERROR_SIGNATURE);
    return verdict;
}
