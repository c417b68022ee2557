/* A plugin of QEMU (lab/emulated/plugin.h) for RISC-V: tells each vector instruction that loads or
 * stores an element at an address that is no multiple of its size, once. QEMU allows it; some
 * processors trap (SpacemiT's X60).
 */
#include "../../../lab/emulated/plugin.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

enum { no_registers = 0, reads_and_writes = 3 };
unsigned qemu_plugin_mem_size_shift(uint32_t info);

struct place {
    uint64_t at;
    const char* name;
    bool is_told;
};

static void touched(unsigned cpu, uint32_t info, uint64_t address, void* data)
{
    (void)cpu;
    struct place* const place = data;
    if ((address & ((UINT64_C(1) << qemu_plugin_mem_size_shift(info)) - 1)) == 0 || place->is_told) return;
    place->is_told = true;
    fprintf(out, "%" PRIx64 " %s\n", place->at, place->name == NULL ? "?" : place->name);
    fflush(out);
}

/* vle8 to vle64, vse8 to vse64, their strided and indexed forms, and whole registers. */
static bool accesses_vectors(const struct qemu_plugin_insn* insn)
{
    uint32_t word;
    if (qemu_plugin_insn_size(insn) != sizeof word) return false;
    memcpy(&word, qemu_plugin_insn_data(insn), sizeof word);
    const unsigned opcode = word & 0x7F;
    const unsigned width = word >> 12 & 7;
    return (opcode == 0x07 || opcode == 0x27) && (width == 0 || width >= 5);
}
static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb* tb)
{
    (void)id;
    uint64_t at = qemu_plugin_tb_vaddr(tb);
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); ++i) {
        struct qemu_plugin_insn* const insn = qemu_plugin_tb_get_insn(tb, i);
        if (accesses_vectors(insn)) {
            struct place* const place = malloc(sizeof *place); /* as long as the translation */
            *place = (struct place){at, qemu_plugin_insn_symbol(insn), false};
            qemu_plugin_register_vcpu_mem_cb(insn, touched, no_registers, reads_and_writes, place);
        }
        at += qemu_plugin_insn_size(insn);
    }
}
static void marked(uint64_t mark) { (void)mark; }
