#include <girih.h>
#include <zephyr/random/random.h>

int girih_device_random(uint8_t* out, size_t bytes) { return sys_csrand_get(out, bytes); }
