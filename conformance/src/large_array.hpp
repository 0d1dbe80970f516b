// An array that is read and written all over. Large ones ask the system for large pages: with small ones most accesses
// would also miss the processor's cache of page addresses.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace eciscope::conformance {

template <class T>
class LargeArray {
    static_assert(std::is_trivially_destructible_v<T>);

 public:
    explicit LargeArray(std::size_t size) : size_(size) {
        const std::size_t bytes = (size * sizeof(T) + page - 1) / page * page;
        void* memory = std::aligned_alloc(page, bytes);
        if (memory == nullptr) {
            throw std::bad_alloc();
        }
        (void)madvise(memory, bytes, MADV_HUGEPAGE);  // only a wish
        items_.reset(static_cast<T*>(memory));
        std::uninitialized_value_construct_n(items_.get(), size);
    }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] T& operator[](std::size_t at) { return items_.get()[at]; }
    [[nodiscard]] const T& operator[](std::size_t at) const { return items_.get()[at]; }
    [[nodiscard]] T* begin() { return items_.get(); }
    [[nodiscard]] T* end() { return items_.get() + size_; }

 private:
    static constexpr std::size_t page = std::size_t{2} << 20U;

    struct Free {
        void operator()(T* memory) const { std::free(memory); }
    };
    std::unique_ptr<T, Free> items_;
    std::size_t size_;
};

}  // namespace eciscope::conformance
