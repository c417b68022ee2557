// Loaded into a program (LD_PRELOAD), moves its calendar by the seconds of GIRIH_LATER. Timers and
// files keep their times, and no descriptor is opened, on which tests of closed ones depend.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

int clock_gettime(clockid_t clock, struct timespec* now)
{
    int (*real)(clockid_t, struct timespec*) = dlsym(RTLD_NEXT, "clock_gettime");
    const int result = real(clock, now);
    const char* later = getenv("GIRIH_LATER");
    if (result == 0 && later && clock == CLOCK_REALTIME) now->tv_sec += atol(later);
    return result;
}
time_t time(time_t* out)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out) *out = now.tv_sec;
    return now.tv_sec;
}
int gettimeofday(struct timeval* restrict now, void* restrict zone)
{
    (void)zone;
    struct timespec precise;
    const int result = clock_gettime(CLOCK_REALTIME, &precise);
    now->tv_sec = precise.tv_sec;
    now->tv_usec = precise.tv_nsec / 1000;
    return result;
}
