/// Objects whose number is known at run time, without an allocation.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace girih {

/// At most `capacity` objects of one type, constructed when they are added. The destructor
/// touches only objects that were added.
template <class T, std::size_t capacity>
class InPlace {
  public:
    constexpr InPlace() noexcept = default;
    InPlace(const InPlace&) = delete;
    InPlace& operator=(const InPlace&) = delete;
    constexpr ~InPlace() { clear(); }

    template <class... Arguments>
    constexpr T& add(Arguments&&... arguments)
    {
        T& object = places_[size_].object;
        // construct_at would fill an object without a constructor of its own with zeros.
        if constexpr (sizeof...(Arguments) == 0)
            ::new (static_cast<void*>(&object)) T;
        else
            std::construct_at(&object, std::forward<Arguments>(arguments)...);
        ++size_;  // only once it exists
        return object;
    }
    constexpr void clear()
    {
        while (size_ > 0) std::destroy_at(&places_[--size_].object);
    }

    [[nodiscard]] constexpr std::size_t size() const { return size_; }
    [[nodiscard]] constexpr T& operator[](std::size_t i) { return places_[i].object; }
    [[nodiscard]] constexpr const T& operator[](std::size_t i) const { return places_[i].object; }

  private:
    union Place {
        constexpr Place() noexcept {}
        constexpr ~Place() {}
        T object;
    };

    std::array<Place, capacity> places_;
    std::size_t size_ = 0;
};

}  // namespace girih
