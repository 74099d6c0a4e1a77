#include "dom/open_elements.h"

#include <algorithm>
#include <functional>
#include <iterator>

#include "base/check.h"

namespace gossamer::dom {
namespace {

constexpr TagSet kTableBarriers = {TagId::html, TagId::table, TagId::template_};

bool is_barrier(const Node& node, Scope scope) noexcept {
  switch (scope) {
    case Scope::usual: return node.has(Trait::barrier);
    case Scope::list_item:
      return node.has(Trait::barrier) || node.is(TagId::ol) || node.is(TagId::ul);
    case Scope::button: return node.has(Trait::barrier) || node.is(TagId::button);
    case Scope::table: return OpenElements::is_in(node, kTableBarriers);
  }
  return true;
}

}  // namespace

template <class Matches>
bool OpenElements::search(Scope scope, Matches matches) const noexcept {
  const std::size_t end = search_end();
  for (std::size_t i = stack_.size(); i != end;) {
    const Node& node = *stack_[--i].element;
    const bool is_found = matches(node);
    if (!is_found && !is_barrier(node, scope)) continue;
    looked_at(stack_.size() - i);
    return is_found;
  }
  looked_at(stack_.size() - end);
  return false;
}

template <class Matches>
std::size_t OpenElements::find_if(Matches matches) const noexcept {
  const std::size_t end = search_end();
  std::size_t at = stack_.size();
  while (at != end && !matches(*stack_[at - 1].element)) --at;
  looked_at(stack_.size() - at);
  return at == end ? kNone : at - 1;
}

bool OpenElements::has_in_scope(TagId tag, Scope scope) const noexcept {
  return has(tag) && search(scope, [tag](const Node& node) { return node.is(tag); });
}

bool OpenElements::has_in_scope(const TagSet& tags, Scope scope) const noexcept {
  return search(scope, [&tags](const Node& node) { return is_in(node, tags); });
}

bool OpenElements::has_in_scope(const Node& element) const noexcept {
  return element.has(Trait::open) &&
         search(Scope::usual, [&element](const Node& node) { return &node == &element; });
}

void OpenElements::pop_through(TagId tag) noexcept {
  while (!current().is(tag)) pop();
  pop();
}

void OpenElements::pop_through(const TagSet& tags) noexcept {
  while (!current_is_in(tags)) pop();
  pop();
}

void OpenElements::pop_through(const Node& element) noexcept {
  while (&current() != &element) pop();
  pop();
}

void OpenElements::pop_to(const TagSet& tags) noexcept {
  while (!current_is_in(tags)) pop();
}

std::size_t OpenElements::find(const Node& element) const noexcept {
  if (!element.has(Trait::open)) return kNone;
  return find_if([&element](const Node& node) { return &node == &element; });
}

std::size_t OpenElements::find(TagId tag) const noexcept {
  if (!has(tag)) return kNone;
  return find_if([tag](const Node& node) { return node.is(tag); });
}

void OpenElements::remove(const Node& element) noexcept {
  const std::size_t index = find(element);
  if (index != kNone) remove_at(index);
}

void OpenElements::remove_at(std::size_t index) noexcept {
  Node& element = *stack_[index].element;
  Nodes::clear(element, Trait::open);
  --count_of(element);
  stack_.erase(stack_.begin() + static_cast<std::ptrdiff_t>(index));
}

void OpenElements::insert(std::size_t index, Node& element) {
  Nodes::set(element, Trait::open);
  ++count_of(element);
  const std::size_t level = std::min(stack_[index - 1].level + 1, kDepthMax);
  stack_.insert(stack_.begin() + static_cast<std::ptrdiff_t>(index), {&element, level});
}

void OpenElements::replace(std::size_t index, Node& element) noexcept {
  Nodes::clear(*stack_[index].element, Trait::open);
  --count_of(*stack_[index].element);
  Nodes::set(element, Trait::open);
  ++count_of(element);
  stack_[index].element = &element;
}

Node& OpenElements::deepest_parent() const noexcept {
  const auto too_deep =
      std::ranges::lower_bound(stack_, kDepthMax, std::ranges::less(), &Entry::level);
  return *std::prev(too_deep)->element;
}

void OpenElements::renumber(std::size_t begin, std::size_t end) noexcept {
  for (std::size_t i = begin; i != end; ++i) {
    stack_[i].level = std::min(stack_[i - 1].level + 1, kDepthMax);
  }
}

}  // namespace gossamer::dom
