/* How a program tells a plugin of QEMU (plugin.h) where a stretch begins and ends: by a system call
 * that no kernel has, with one argument. */
#ifndef GIRIH_MARK_H
#define GIRIH_MARK_H

enum { girih_mark = 0x4717 };

#endif
