// Scores of the elements that may hold the main content.
#pragma once

#include <cstdint>
#include <vector>

#include "content/outline.h"

namespace gossamer::content {

class Candidates {
 public:
  // BORROWS: the outline.
  explicit Candidates(const Outline& outline);

  // Returns the places of the elements with the main content, in document order: the best one and
  // those of its siblings that look like it. Empty only if the outline is.
  std::vector<std::uint32_t> best() const;

 private:
  void score_element(std::uint32_t at);
  void score_runs(std::uint32_t at);
  void add_paragraph(std::uint32_t container, std::uint32_t bytes, std::uint32_t commas);
  double score(std::uint32_t at) const noexcept { return is_scored_[at] ? scores_[at] : 0; }
  std::uint32_t top() const;
  std::uint32_t declared() const;
  std::uint32_t widened(std::uint32_t at) const;
  std::uint32_t shared_ancestor(std::uint32_t at) const;
  bool is_like(std::uint32_t sibling, std::uint32_t best, double threshold) const;

  const Outline& outline_;
  std::vector<double> scores_;
  std::vector<bool> is_scored_;
};

}  // namespace gossamer::content
