// The reference for the times of compilations: headers and templates of the standard library,
// nothing of girih.
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <variant>
#include <vector>

std::map<std::string, std::vector<int>> sorted(std::vector<int> numbers)
{
    std::stable_sort(numbers.begin(), numbers.end(), std::greater<>{});
    std::shuffle(numbers.begin(), numbers.end(), std::mt19937{7});
    return {{"numbers", numbers}};
}
