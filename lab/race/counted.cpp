#include "lab/race/counted.hpp"

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <stdexcept>

#include "lab/emulated/mark.h"

namespace girih::lab {

namespace {

/// 0 begins a count; any other number ends one, and names it.
void mark(long number) { syscall(girih_mark, number); }

/// Signatures of the set that are made: how many attempts each takes is the same for everybody.
constexpr std::size_t messages_signed = 32;

}  // namespace

void run_marked(const Material& material, const Group& group, const std::vector<const Contender*>& contenders,
                Random& random)
{
    static long marks = 0;
    for (const Operation& operation : group) {
        const std::size_t count =
            operation.signs_the_set() ? std::min(messages_signed, material.messages.size()) : operation.batch;
        const Strings inputs = operation.inputs(material, random, count);
        for (const Contender* contender : contenders) {
            const auto job = contender->job(material.algorithm, operation.name, inputs);
            if (job == nullptr) continue;
            const auto run = [&] {
                if (!job->run(0, count))
                    throw std::runtime_error(contender->name + " fails in " + operation.name);
            };
            run();  // brings out what happens once: a choice of code, a page of the stack
            mark(0);
            run();
            mark(++marks);
            std::cout << marks << '\t' << material.algorithm << '\t' << operation.name << '\t'
                      << contender->name << '\t' << count << std::endl;
        }
    }
}

}  // namespace girih::lab
