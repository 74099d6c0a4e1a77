// A summary of a text in a few bytes, which tells how much two texts have in common.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace gossamer::content {

// Case, punctuation and white space do not matter. The parts of a text that are compared are its
// sequences of four words; in scripts without spaces, each character is a word.
//
// The values are those of MinHash with one permutation: the hash of a sequence selects one of the
// values, and each value holds the least hash. Two texts agree in a value as often as they share
// sequences. A SimHash of 64 bits would be smaller, but within a distance of 3 it misses most of
// the texts that share 70 % of their sequences.
//
// Crawl directories store sketches, so the hashes must not change.
struct TextSketch {
  static constexpr std::size_t kValues = 128;

  std::uint64_t digest = 0;  // of the words; equal for equal texts
  std::array<std::uint8_t, kValues> values = {};

  friend bool operator==(const TextSketch&, const TextSketch&) = default;
};

// BOUND: shorter texts have no sketch, because their words say too little.
inline constexpr std::size_t kSketchWordsMin = 10;

// Returns nullptr if the text is too short. `text` is UTF-8. Time is linear in its length.
std::shared_ptr<const TextSketch> text_sketch(std::string_view text);

// Estimates which share of the sequences of either text is in both: 0 to 1. The standard error is
// at most 0.045.
double overlap(const TextSketch& a, const TextSketch& b) noexcept;

// Texts with at least this overlap are nearly the same.
inline constexpr double kSimilarOverlapMin = 0.62;
bool are_similar(const TextSketch& a, const TextSketch& b) noexcept;

}  // namespace gossamer::content
