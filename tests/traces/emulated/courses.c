/* A plugin of QEMU (interface 1): whether a stretch of a program takes the same course again, the
 * same instructions and the same addresses in memory.
 *
 *     qemu-aarch64 -plugin libcourses.so,out=FILE PROGRAM
 *
 * A stretch begins and ends with a system call of the number below, which no kernel has. Its
 * argument is 1 to keep the course, 2 to compare with the kept one, 0 at the end. Each comparison
 * writes a line: "equal" and the number of steps, or "differs" and the last block that both ran.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { mark_number = 0x4717, no_registers = 0, reads_and_writes = 3 };

/* The part of qemu-plugin.h that is used here; Debian has no package of it. */
typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_info;
typedef void (*translated_callback)(qemu_plugin_id_t, struct qemu_plugin_tb*);
typedef void (*executed_callback)(unsigned, void*);
typedef void (*memory_callback)(unsigned, uint32_t, uint64_t, void*);
typedef void (*call_callback)(qemu_plugin_id_t, unsigned, int64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                              uint64_t, uint64_t, uint64_t, uint64_t);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, translated_callback);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb*, executed_callback, int, void*);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn*, memory_callback, int, int, void*);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t, call_callback);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb*);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb*);
struct qemu_plugin_insn* qemu_plugin_tb_get_insn(const struct qemu_plugin_tb*, size_t);
const char* qemu_plugin_insn_symbol(const struct qemu_plugin_insn*);

static struct {
    uint64_t* steps; /* addresses: of blocks, and of memory that they read and write */
    size_t count, capacity;
} kept;
static enum { idle, keeping, comparing } state;
static size_t position;       /* of the next step */
static bool is_other;         /* the course has left the kept one */
static const char* last_name; /* the function of the last block that both ran */
static uint64_t last_block;
static FILE* out;

static void step(uint64_t address)
{
    if (state == keeping) {
        if (kept.count == kept.capacity) {
            kept.capacity = 2 * kept.capacity + 4096;
            kept.steps = realloc(kept.steps, kept.capacity * sizeof *kept.steps);
        }
        kept.steps[kept.count++] = address;
    } else if (state == comparing && !is_other) {
        is_other = position == kept.count || kept.steps[position] != address;
        ++position;
    }
}

struct block {
    uint64_t at;
    const char* name;
};

static void executed(unsigned cpu, void* data)
{
    (void)cpu;
    const struct block* const block = data;
    step(block->at);
    if (!is_other) last_name = block->name, last_block = block->at;
}
static void touched(unsigned cpu, uint32_t info, uint64_t address, void* data)
{
    (void)cpu, (void)info, (void)data;
    step(address);
}
static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb* tb)
{
    (void)id;
    struct block* const block = malloc(sizeof *block); /* as long as QEMU keeps the translation */
    const char* const name = qemu_plugin_insn_symbol(qemu_plugin_tb_get_insn(tb, 0));
    *block = (struct block){qemu_plugin_tb_vaddr(tb), name == NULL ? "?" : name};
    qemu_plugin_register_vcpu_tb_exec_cb(tb, executed, no_registers, block);
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); ++i)
        qemu_plugin_register_vcpu_mem_cb(qemu_plugin_tb_get_insn(tb, i), touched, no_registers,
                                         reads_and_writes, NULL);
}

static void called(qemu_plugin_id_t id, unsigned cpu, int64_t number, uint64_t mark, uint64_t a2, uint64_t a3,
                   uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8)
{
    (void)id, (void)cpu, (void)a2, (void)a3, (void)a4, (void)a5, (void)a6, (void)a7, (void)a8;
    if (number != mark_number) return;
    if (mark == 0 && state == comparing) {
        /* The steps between the last block and the call are the same code's. */
        if (!is_other && position == kept.count)
            fprintf(out, "equal\t%zu\n", kept.count);
        else
            fprintf(out, "differs\tafter %zu of %zu steps, in or after the block at %#" PRIx64 " in %s\n",
                    position, kept.count, last_block, last_name);
        fflush(out);
    }
    state = mark == 0 ? idle : mark == 1 ? keeping : comparing;
    if (mark == 1) kept.count = 0;
    position = 0;
    is_other = false;
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
