#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

// The order in which a queue returns its items.
namespace gossamer::async {

template <class T>
class FifoStorage {
 public:
  bool empty() const { return items_.empty(); }
  std::size_t size() const { return items_.size(); }
  void push(T&& item) { items_.push_back(std::move(item)); }
  T pop() {
    T item = std::move(items_.front());
    items_.pop_front();
    return item;
  }

 private:
  std::deque<T> items_;
};

template <class T, class Less>
class PriorityStorage {
 public:
  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  void push(T&& item) {
    heap_.push_back({std::move(item), next_order_++});
    std::ranges::push_heap(heap_, comes_later);
  }
  T pop() {
    std::ranges::pop_heap(heap_, comes_later);
    T item = std::move(heap_.back().item);
    heap_.pop_back();
    return item;
  }

 private:
  struct Entry {
    T item;
    std::uint64_t order;
  };
  static bool comes_later(const Entry& a, const Entry& b) {
    const Less less;
    if (less(a.item, b.item)) return false;
    if (less(b.item, a.item)) return true;
    return a.order > b.order;
  }

  std::vector<Entry> heap_;
  std::uint64_t next_order_ = 0;
};

}  // namespace gossamer::async
