/// Replaces a header of Linux's C library that PQClean's compat.h includes, for the emulated board.
#pragma once

#define __GNUC_PREREQ(major, minor) (__GNUC__ > (major) || (__GNUC__ == (major) && __GNUC_MINOR__ >= (minor)))
