#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace gossamer::report {

// Rows of which only some are stored.
template <class Row>
struct Listing {
  std::vector<Row> rows;
  std::uint64_t total = 0;  // how many there were

  bool is_cut() const { return total > rows.size(); }
};

// Sorts by count, the largest first, then by name.
template <class Row, class Count, class Name>
void sort_largest_first(std::vector<Row>& rows, Count count, Name name) {
  std::ranges::sort(rows, [&](const Row& a, const Row& b) {
    const auto of_a = std::invoke(count, a);
    const auto of_b = std::invoke(count, b);
    return of_a != of_b ? of_a > of_b : std::invoke(name, a) < std::invoke(name, b);
  });
}

// The rows with the largest keys; of equal ones the first.
// BOUND: the capacity.
template <class Row>
class TopList {
 public:
  explicit TopList(std::size_t capacity) : capacity_(capacity) {}

  // Returns whether a row with this key would be stored. For rows that are expensive to make.
  bool wants(std::uint64_t key) const {
    return entries_.size() < capacity_ || key > entries_.front().key;
  }
  void add(std::uint64_t key, Row row) {
    ++total_;
    if (!wants(key)) return;
    if (entries_.size() == capacity_) {
      std::ranges::pop_heap(entries_, is_above);
      entries_.pop_back();
    }
    entries_.push_back({key, total_, std::move(row)});
    std::ranges::push_heap(entries_, is_above);
  }
  // Counts an item without storing a row.
  void count() { ++total_; }

  // Returns the largest first. Ends the list.
  Listing<Row> finish() && {
    std::ranges::sort(entries_, is_above);
    Listing<Row> listing = {.total = total_};
    for (Entry& entry : entries_) listing.rows.push_back(std::move(entry.row));
    return listing;
  }

 private:
  struct Entry {
    std::uint64_t key;
    std::uint64_t number;
    Row row;
  };

  // The heap has the next row to drop at its front.
  static bool is_above(const Entry& a, const Entry& b) {
    return a.key != b.key ? a.key > b.key : a.number < b.number;
  }

  std::size_t capacity_;
  std::uint64_t total_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace gossamer::report
