/* A plugin of QEMU (plugin.h): how often each block of instructions runs between two marks of
 * lab/race/counted.cpp.
 *
 * Mark 0 sets all counts to zero. Any other mark writes a line for each block that has run: the
 * mark, the count, the block's address, and its instructions as hexadecimal bytes, an instruction a
 * word.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "plugin.h"

enum { bucket_count = 1 << 16, inline_add = 0 };

struct block {
    uint64_t count;
    uint64_t address;
    struct block* next;
    char* text;
};
static struct block* buckets[bucket_count];

/* The block's instructions, in memory of the caller. */
static char* text_of(const struct qemu_plugin_tb* tb)
{
    const size_t count = qemu_plugin_tb_n_insns(tb);
    size_t length = 1;
    for (size_t i = 0; i < count; ++i)
        length += 2 * qemu_plugin_insn_size(qemu_plugin_tb_get_insn(tb, i)) + 1;
    char* const text = malloc(length);
    char* to = text;
    for (size_t i = 0; i < count; ++i) {
        const struct qemu_plugin_insn* const instruction = qemu_plugin_tb_get_insn(tb, i);
        const unsigned char* const bytes = qemu_plugin_insn_data(instruction);
        if (i > 0) *to++ = ' ';
        for (size_t j = 0; j < qemu_plugin_insn_size(instruction); ++j) to += sprintf(to, "%02x", bytes[j]);
    }
    *to = 0;
    return text;
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb* tb)
{
    (void)id;
    char* const text = text_of(tb);
    const uint64_t address = qemu_plugin_tb_vaddr(tb);
    uint64_t hash = 14695981039346656037U ^ address;
    for (const char* c = text; *c != 0; ++c) hash = (hash ^ (unsigned char)*c) * 1099511628211U;
    struct block** const bucket = &buckets[hash % bucket_count];
    struct block* block = *bucket;
    while (block != NULL && (block->address != address || strcmp(block->text, text) != 0))
        block = block->next;
    if (block == NULL) {
        block = malloc(sizeof *block);
        *block = (struct block){0, address, *bucket, text};
        *bucket = block;
    } else {
        free(text);
    }
    qemu_plugin_register_vcpu_tb_exec_inline(tb, inline_add, &block->count, 1);
}

static void marked(uint64_t mark)
{
    for (size_t i = 0; i < bucket_count; ++i)
        for (struct block* block = buckets[i]; block != NULL; block = block->next) {
            if (mark != 0 && block->count != 0)
                fprintf(out, "%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%s\n", mark, block->count,
                        block->address, block->text);
            block->count = 0;
        }
    fflush(out);
}
