/// A race that the thread sanitizer has to report: two threads increment one number.
/// girih_planted_race
#include <cstdio>
#include <thread>

int main()
{
    int count = 0;
    const auto work = [&count] {
        for (int i = 0; i < 1000; ++i) ++count;
    };
    std::jthread other(work);
    work();
    other.join();
    std::printf("counted to %d\n", count);
    return 0;
}
