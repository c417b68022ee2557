/* A vector load from an odd address, which alignment.py has to find; and a minimum and a
 * compression, which tools/division_check has to find.
 */
#include <riscv_vector.h>
#include <stdint.h>

__attribute__((target("arch=+v"))) int main(int count, char** arguments)
{
    (void)arguments;
    int32_t numbers[8] = {count};
    const int32_t* const odd = (const int32_t*)((const char*)numbers + 1);
    const vint32m1_t a = __riscv_vle32_v_i32m1(odd, 4);
    const vint32m1_t b = __riscv_vmin_vx_i32m1(a, count, 4);
    const vbool32_t mask = __riscv_vmslt_vx_i32m1_b32(b, 0, 4);
    __riscv_vse32_v_i32m1(numbers, __riscv_vcompress_vm_i32m1(b, mask, 4), 4);
    return numbers[7];
}
