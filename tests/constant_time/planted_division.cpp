/// Planted divisions, each of which tools/division_check has to find. The build chooses one.
#include <cmath>
#include <cstdint>

namespace planted_leak {

#if defined(planted_integer)
std::uint32_t planted(std::uint32_t a, std::uint32_t b) { return a / b; }
#elif defined(planted_floating_point)
double planted(double a, double b) { return a / b; }
#elif defined(planted_square_root)
double planted(double a) { return std::sqrt(a); }
#elif defined(planted_remainder_of_128_bits)
__extension__ using Wide = unsigned __int128;
Wide planted(Wide a, Wide b) { return a % b; }
#endif

}  // namespace planted_leak
