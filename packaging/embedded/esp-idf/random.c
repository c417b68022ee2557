#include <esp_random.h>
#include <girih.h>

/* True random numbers while the radio or the bootloader's entropy source is on: see Espressif's
 * page on random number generation. */
int girih_device_random(uint8_t* out, size_t bytes)
{
    esp_fill_random(out, bytes);
    return 0;
}
