/// A planted fused multiplication, which tools/fused_check has to find.

namespace girih::falcon {

double planted(double a, double b, double c);

double planted(double a, double b, double c) { return __builtin_fma(a, b, c); }

}  // namespace girih::falcon
