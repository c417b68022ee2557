/* A plugin of QEMU (lab/emulated/plugin.h): whether a stretch of a program takes the same course
 * again, the same instructions and the same addresses in memory.
 *
 * A mark is 1 to keep the course that begins, 2 to compare it with the kept one, 0 at the end. Each
 * comparison writes a line: "equal" and the number of steps, or "differs" and the last block that
 * both ran.
 */
#include "../../../lab/emulated/plugin.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

enum { no_registers = 0, reads_and_writes = 3 };

static struct {
    uint64_t* steps; /* addresses: of blocks, and of memory that they read and write */
    size_t count, capacity;
} kept;
static enum { idle, keeping, comparing } state;
static size_t position;       /* of the next step */
static bool is_other;         /* the course has left the kept one */
static const char* last_name; /* the function of the last block that both ran */
static uint64_t last_block;

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

static void marked(uint64_t mark)
{
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
