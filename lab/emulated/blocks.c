/* A plugin of QEMU (interface 1, from QEMU 4.2 on): how often each block of instructions runs
 * between two marks of lab/race/counted.cpp.
 *
 *     qemu-aarch64 -plugin libblocks.so,out=FILE PROGRAM
 *
 * A mark is a system call of the number below, which no kernel has. Mark 0 sets all counts to zero.
 * Any other mark writes a line for each block that has run: the mark, the count, and the block's
 * instructions as hexadecimal bytes, an instruction a word.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { mark_number = 0x4717, bucket_count = 1 << 16, inline_add = 0 };

/* The part of qemu-plugin.h that is used here; Debian has no package of it. */
typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_info;
typedef void (*translated_callback)(qemu_plugin_id_t, struct qemu_plugin_tb*);
typedef void (*call_callback)(qemu_plugin_id_t, unsigned, int64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                              uint64_t, uint64_t, uint64_t, uint64_t);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, translated_callback);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t, call_callback);
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb*, int, void*, uint64_t);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb*);
struct qemu_plugin_insn* qemu_plugin_tb_get_insn(const struct qemu_plugin_tb*, size_t);
const void* qemu_plugin_insn_data(const struct qemu_plugin_insn*);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn*);

struct block {
    uint64_t count;
    struct block* next;
    char* text;
};
static struct block* buckets[bucket_count];
static FILE* out;

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
    uint64_t hash = 14695981039346656037U;
    for (const char* c = text; *c != 0; ++c) hash = (hash ^ (unsigned char)*c) * 1099511628211U;
    struct block** const bucket = &buckets[hash % bucket_count];
    struct block* block = *bucket;
    while (block != NULL && strcmp(block->text, text) != 0) block = block->next;
    if (block == NULL) {
        block = malloc(sizeof *block);
        *block = (struct block){0, *bucket, text};
        *bucket = block;
    } else {
        free(text);
    }
    qemu_plugin_register_vcpu_tb_exec_inline(tb, inline_add, &block->count, 1);
}

static void called(qemu_plugin_id_t id, unsigned cpu, int64_t number, uint64_t mark, uint64_t a2, uint64_t a3,
                   uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8)
{
    (void)id, (void)cpu, (void)a2, (void)a3, (void)a4, (void)a5, (void)a6, (void)a7, (void)a8;
    if (number != mark_number) return;
    for (size_t i = 0; i < bucket_count; ++i)
        for (struct block* block = buckets[i]; block != NULL; block = block->next) {
            if (mark != 0 && block->count != 0)
                fprintf(out, "%" PRIu64 "\t%" PRIu64 "\t%s\n", mark, block->count, block->text);
            block->count = 0;
        }
    fflush(out);
}

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

__attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id,
                                                               const struct qemu_info* info, int count,
                                                               char** arguments)
{
    (void)info;
    if (count != 1 || strncmp(arguments[0], "out=", 4) != 0) return -1;
    out = fopen(arguments[0] + 4, "w");
    if (out == NULL) return -1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_vcpu_syscall_cb(id, called);
    return 0;
}
