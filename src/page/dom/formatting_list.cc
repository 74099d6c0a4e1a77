#include "dom/formatting_list.h"

#include <algorithm>

#include "base/hash.h"

namespace gossamer::dom {
namespace {

// https://html.spec.whatwg.org/#push-onto-the-list-of-active-formatting-elements
constexpr int kEqualMax = 3;

std::uint64_t attributes_hash(const Node& element) noexcept {
  std::uint64_t sum = 0;
  for (const Attribute& attribute : element.attributes()) {
    sum += base::hash64(attribute.value(), base::hash64(attribute.name()));
  }
  return sum;
}

// REQUIRES: there are as many. The names of an element's attributes are unique.
bool have_equal_attributes(const Node& one, const Node& other) noexcept {
  const auto is_same = [](const Attribute& left, const Attribute& right) {
    return left.name() == right.name() && left.value() == right.value();
  };
  // Most have the same order.
  if (std::ranges::equal(one.attributes(), other.attributes(), is_same)) return true;
  return std::ranges::all_of(one.attributes(), [&other](const Attribute& attribute) {
    const Attribute* const same = other.find(attribute.name());
    return same != nullptr && same->value() == attribute.value();
  });
}

}  // namespace

std::uint64_t FormattingList::hash_of(Entry& entry) noexcept {
  if (!entry.hash) entry.hash = attributes_hash(*entry.element);
  return *entry.hash;
}

void FormattingList::push(Node& element) {
  Entry added = {.element = &element};
  int equal = 0;
  std::size_t first_equal = 0;
  for (std::size_t i = entries_.size(); i-- != 0 && entries_[i].element != nullptr;) {
    const Node& other = *entries_[i].element;
    if (other.tag() != element.tag() || other.attributes().size() != element.attributes().size() ||
        hash_of(entries_[i]) != hash_of(added) || !have_equal_attributes(element, other)) {
      continue;
    }
    ++equal;
    first_equal = i;
  }
  if (equal >= kEqualMax) remove_at(first_equal);
  make_room();
  entries_.push_back(added);
}

void FormattingList::push_marker() {
  make_room();
  entries_.push_back({.element = nullptr});
}

void FormattingList::make_room() noexcept {
  if (entries_.size() == kEntriesMax) entries_.erase(entries_.begin());
}

void FormattingList::clear_to_marker() noexcept {
  while (!entries_.empty()) {
    const bool is_marker = entries_.back().element == nullptr;
    entries_.pop_back();
    if (is_marker) return;
  }
}

std::size_t FormattingList::find_after_marker(TagId tag) const noexcept {
  for (std::size_t i = entries_.size(); i-- != 0 && entries_[i].element != nullptr;) {
    if (entries_[i].element->tag() == tag) return i;
  }
  return kNone;
}

std::size_t FormattingList::find(const Node& element) const noexcept {
  for (std::size_t i = entries_.size(); i-- != 0;) {
    if (entries_[i].element == &element) return i;
  }
  return kNone;
}

void FormattingList::move(std::size_t from, std::size_t to) noexcept {
  const auto at = [this](std::size_t index) {
    return entries_.begin() + static_cast<std::ptrdiff_t>(index);
  };
  if (from < to) {
    std::rotate(at(from), at(from + 1), at(to));
  } else {
    std::rotate(at(to), at(from), at(from + 1));
  }
}

void FormattingList::remove_at(std::size_t index) noexcept {
  entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(index));
}

void FormattingList::remove(const Node& element) noexcept {
  const std::size_t index = find(element);
  if (index != kNone) remove_at(index);
}

}  // namespace gossamer::dom
