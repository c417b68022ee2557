/// The contract of engines: one that has an option without all of its members is no engine.
#include <gtest/gtest.h>

#include <cstdint>

#include "isa/cortex_m/lanes.hpp"
#include "isa/isa.hpp"
#include "isa/portable/lanes.hpp"

namespace girih::isa {
namespace {

using Complete = portable::Isa;
using Words = cortex_m::Isa;

struct WithoutLongs : Complete {
    struct LongLanes {};
};
struct WithoutResidues : Complete {
    struct ResidueLanes {};
};
struct WithoutDoubles : Complete {
    struct WideFpr {};
};
struct WithoutHalves : Complete {
    struct ShortLanes : Complete::ShortLanes {
        static void zip(Vector, Vector);
    };
};
struct WithoutSchedule : Complete {
    struct HashWords : Complete::HashWords {
        struct ScheduleWords {};
    };
};
struct WithoutFewer : Complete {
    struct WideWords : Complete::WideWords {
        using Fewer = Complete::WideWords;  // as many states as this
        using One = Fewer;
    };
};
struct WithoutOrder : Complete {
    static void minimum(std::int32_t, std::int32_t);
};
struct WithoutTrits : Words {
    static void trit_step();
};
struct WithoutMontgomery : Words {
    static void montgomery_multiply();
};
struct WithoutElements : Words {
    static void sort_element();
};
struct WithoutHalfwords : Words {
    template <std::int32_t>
    struct HalfwordsOf {};
};

TEST(EngineContract, HoldsEnginesWithAnOptionToAllItsMembers)
{
    static_assert(Engine<Complete> && Engine<Words>);
    static_assert(!Engine<WithoutLongs> && !Engine<WithoutResidues> && !Engine<WithoutDoubles>);
    static_assert(!Engine<WithoutHalves> && !Engine<WithoutOrder>);
    static_assert(!Engine<WithoutSchedule> && !Engine<WithoutFewer>);
    static_assert(!Engine<WithoutTrits> && !Engine<WithoutMontgomery> && !Engine<WithoutElements>);
    static_assert(!Engine<WithoutHalfwords>);
}

}  // namespace
}  // namespace girih::isa
