#include "html/token/tag_index.h"

#include <algorithm>
#include <cstring>

#include "base/processor.h"
#include "html/token/mask_bits.h"
#include "html/token/tag_word.h"

#if defined(__ARM_NEON)
#include <arm_neon.h>
#endif

namespace gossamer::html {
namespace {

// Closer to the end, words of the text cannot be loaded.
constexpr std::size_t kJudgingMargin = 24;

// The text after a '<', and the byte that ends the name in it. The slash of an end tag, like any
// other byte there, is part of the name.
struct FirstWord {
  [[gnu::always_inline]] explicit FirstWord(const char* less_than) noexcept
      : text(word::load(less_than + 1)), marks(word::non_letters(text) & ~std::uint64_t{0xFF}) {}

  [[gnu::always_inline]] bool may_be_wanted(const Interest& interest) const noexcept {
    return interest.may_want[kTagSlots.of_key(word::key_before(text, marks))];
  }
  [[gnu::always_inline]] std::uint64_t after_name() const noexcept {
    return word::byte_at(text, marks);
  }
  [[gnu::always_inline]] unsigned end_mark() const noexcept {
    return static_cast<unsigned>(std::countr_zero(marks));
  }

  std::uint64_t text;
  std::uint64_t marks;
};

}  // namespace

#if defined(__ARM_NEON)

[[gnu::always_inline]] inline TagIndex::Marks TagIndex::marks_of(const char* block) noexcept {
  const auto* const at = reinterpret_cast<const std::uint8_t*>(block);
  const uint8x16_t parts[4] = {vld1q_u8(at), vld1q_u8(at + 16), vld1q_u8(at + 32),
                               vld1q_u8(at + 48)};
  const uint8x16_t weights = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  const auto sums_of = [&](char c) {
    const uint8x16_t wanted = vdupq_n_u8(static_cast<std::uint8_t>(c));
    const auto weighed = [&](int i) { return vandq_u8(vceqq_u8(parts[i], wanted), weights); };
    return vpaddq_u8(vpaddq_u8(weighed(0), weighed(1)), vpaddq_u8(weighed(2), weighed(3)));
  };
  const uint64x2_t marks = vreinterpretq_u64_u8(vpaddq_u8(sums_of('<'), sums_of('"')));
  return {vgetq_lane_u64(marks, 0), vgetq_lane_u64(marks, 1)};
}

#else

// The compiler uses the instructions that the processor has.
[[gnu::always_inline]] inline TagIndex::Marks TagIndex::marks_of(const char* block) noexcept {
  using Bytes [[gnu::vector_size(kBlockBytes)]] = char;
  Bytes bytes;
  std::memcpy(&bytes, block, kBlockBytes);
  return {mask_bits(bytes == '<'), mask_bits(bytes == '"')};
}

#endif

[[gnu::always_inline]] inline void TagIndex::add(Marks marks, std::size_t block) noexcept {
  quotes_[block] = marks.quote;
  std::uint64_t bits = marks.less_than;
  std::uint16_t* out = &places_[count_];
  count_ += static_cast<std::size_t>(std::popcount(bits));
  const std::size_t base = block * kBlockBytes;
  do {
    for (std::size_t i = 0; i < kSpare; ++i) {
      out[i] = static_cast<std::uint16_t>(base + static_cast<std::size_t>(std::countr_zero(bits)));
      bits &= bits - 1;
    }
    out += kSpare;
  } while (bits != 0);
}

[[gnu::always_inline]] inline void TagIndex::add_all() noexcept {
  const auto size = static_cast<std::size_t>(end_ - begin_);
  count_ = 0;
  std::size_t block = 0;
  for (; (block + 1) * kBlockBytes <= size; ++block) {
    add(marks_of(begin_ + block * kBlockBytes), block);
  }
  const std::size_t rest = size % kBlockBytes;
  quotes_[block] = 0;
  if (rest > 0) {
    char padded[kBlockBytes] = {};
    std::memcpy(padded, begin_ + block * kBlockBytes, rest);
    add(marks_of(padded), block);
  }
  quotes_[block] |= std::uint64_t{1} << rest;
  quotes_[block + 1] = quotes_[block + 2] = 0;
}

// Returns how many positions have enough text after them to be judged.
std::size_t TagIndex::judged_count() const noexcept {
  const auto bytes = static_cast<std::size_t>(text_end_ - begin_);
  std::size_t count = count_;
  while (count > 0 && places_[count - 1] + kJudgingMargin > bytes) --count;
  return count;
}

// Drops tags without attributes, including end tags. No branch depends on the tag. Returns how many
// of the first `judged` are left.
[[gnu::always_inline]] inline std::size_t TagIndex::leave_out_bare(const Interest& interest,
                                                                   std::size_t judged) noexcept {
  std::size_t left = 0;
  for (std::size_t i = 0; i < judged; ++i) {
    const std::uint16_t place = places_[i];
    const FirstWord first(begin_ + place);
    const bool may_be_wanted = first.may_be_wanted(interest);
    judged_[left] = Judged(place, first.end_mark(), may_be_wanted);
    left += std::size_t{may_be_wanted} | std::size_t{first.after_name() != '>'};
  }
  return left;
}

// Of these, drops tags with only a class. REQUIRES: judged_ also contains the position after the
// last of them.
[[gnu::always_inline]] inline std::size_t TagIndex::leave_out_with_class(
    std::size_t left) noexcept {
  // " class=" and the quote, as loaded into a word.
  constexpr std::uint64_t kClass = 0x223D7373616C6320;
  std::size_t worth = 0;
  for (std::size_t i = 0; i < left; ++i) {
    const Judged tag = judged_[i];
    const std::size_t value = tag.name_end() + 8;
    const std::uint64_t quotes = quotes_after(value);
    const std::size_t close = value + static_cast<std::size_t>(std::countr_zero(quotes));
    const std::size_t next = judged_[i + 1].place();
    const char after = begin_[std::min(close + 1, next)];
    worth_[worth] = tag.place();
    worth += std::size_t{tag.may_be_wanted()} |
             std::size_t{word::load(begin_ + tag.name_end()) != kClass} | std::size_t{quotes == 0} |
             std::size_t{close >= next} | std::size_t{after != '>'};
  }
  return worth;
}

[[gnu::always_inline]] inline void TagIndex::leave_out_all(const Interest& interest) noexcept {
  const std::size_t judged = judged_count();
  const std::size_t left = leave_out_bare(interest, judged);
  // No value ends beyond the next tag. The value of the last tag must not end with the last byte,
  // because the byte after the quote is read.
  const auto size = static_cast<std::size_t>(end_ - begin_);
  const auto last = static_cast<std::uint16_t>(size - 1);
  judged_[left] = Judged(judged < count_ ? places_[judged] : last, 0, true);
  worth_count_ = leave_out_with_class(left);
  for (std::size_t i = judged; i < count_; ++i) worth_[worth_count_++] = places_[i];
}

void TagIndex::find_all() noexcept { add_all(); }

void TagIndex::leave_out(const Interest& interest) noexcept { leave_out_all(interest); }

#if defined(__x86_64__)

[[gnu::target("avx2,bmi,bmi2,popcnt")]] void TagIndex::find_all_with_avx2() noexcept { add_all(); }

[[gnu::target("bmi,bmi2,popcnt")]] void TagIndex::leave_out_with_bmi(
    const Interest& interest) noexcept {
  leave_out_all(interest);
}

#else

void TagIndex::find_all_with_avx2() noexcept { find_all(); }
void TagIndex::leave_out_with_bmi(const Interest& interest) noexcept { leave_out(interest); }

#endif

void TagIndex::build(const char* begin, const char* end) noexcept {
  const auto available = static_cast<std::size_t>(end - begin);
  begin_ = begin;
  end_ = begin + std::min(available, kBytesMax);
  text_end_ = end;
  base::has_avx2() ? find_all_with_avx2() : find_all();
}

TagIndex::Places TagIndex::worth_reading(const Interest& interest) noexcept {
  base::has_avx2() ? leave_out_with_bmi(interest) : leave_out(interest);
  return {worth_.data(), worth_count_};
}

}  // namespace gossamer::html
