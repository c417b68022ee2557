/* The frame of a plugin of QEMU (interface 1, from QEMU 4.2 on) that looks at marked stretches of a
 * program:
 *
 *     qemu-aarch64 -plugin libNAME.so,out=FILE PROGRAM
 *
 * A plugin includes this once, and defines `translated` and `marked`.
 */
#ifndef GIRIH_PLUGIN_H
#define GIRIH_PLUGIN_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "mark.h"

/* The part of qemu-plugin.h that is used; Debian has no package of it. */
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
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb*, int, void*, uint64_t);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn*, memory_callback, int, int, void*);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t, call_callback);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb*);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb*);
struct qemu_plugin_insn* qemu_plugin_tb_get_insn(const struct qemu_plugin_tb*, size_t);
const void* qemu_plugin_insn_data(const struct qemu_plugin_insn*);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn*);
const char* qemu_plugin_insn_symbol(const struct qemu_plugin_insn*);

static FILE* out;

/* Called for each block of instructions when it is translated, and at each mark. */
static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb* tb);
static void marked(uint64_t mark);

static void called(qemu_plugin_id_t id, unsigned cpu, int64_t number, uint64_t mark, uint64_t a2, uint64_t a3,
                   uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8)
{
    (void)id, (void)cpu, (void)a2, (void)a3, (void)a4, (void)a5, (void)a6, (void)a7, (void)a8;
    if (number == girih_mark) marked(mark);
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

#endif
