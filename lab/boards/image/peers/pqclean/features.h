/// What PQClean's compat.h takes from the C library of Linux. There is none on the emulated board.
#pragma once

#define __GNUC_PREREQ(major, minor) (__GNUC__ > (major) || (__GNUC__ == (major) && __GNUC_MINOR__ >= (minor)))
