#include <optional>

#include "base/inflater.h"
#include "wire/codec.h"
#include "wire/zlib_header.h"

namespace gossamer::wire {
namespace {

using base::Inflater;

constexpr std::size_t kWindowBytes = 32 * 1024;

// RFC 1952: one or more members. Garbage after the last member is ignored, as browsers and curl do.
class GzipCodec final : public Codec {
 public:
  Step run(Bytes input, MutableBytes out) override {
    Step total;
    if (!inflater_ && !input.empty()) inflater_.emplace(Inflater::Format::gzip);
    // Not `while (!input.empty())`: zlib may hold output that did not fit before.
    while (inflater_ && total.produced < out.size()) {
      if (is_between_members_) {
        if (total.consumed == input.size()) break;
        if (static_cast<unsigned char>(input[total.consumed]) != 0x1F) {
          total.status = Status::ended;
          break;
        }
        inflater_->begin_again();
        is_between_members_ = false;
        has_member_output_ = false;
      }
      const Step step = inflater_->run(input.subspan(total.consumed), out.subspan(total.produced));
      total.consumed += step.consumed;
      total.produced += step.produced;
      has_begun_ |= step.consumed > 0;
      has_member_output_ |= step.produced > 0;
      if (step.status == Status::ended) {
        is_between_members_ = true;
        has_member_ = true;
      } else if (step.status == Status::damaged) {
        total.status = is_garbage() ? Status::ended : Status::damaged;
        break;
      } else if (step.consumed == 0 && step.produced == 0) {
        break;
      }
    }
    return total;
  }

  bool may_end() const override { return !has_begun_ || is_between_members_ || is_garbage(); }
  std::size_t window_bytes_max() const override { return kWindowBytes; }

 private:
  // Returns whether the bytes after a whole member looked like another member but produced nothing.
  bool is_garbage() const { return has_member_ && !has_member_output_; }

  std::optional<Inflater> inflater_;
  bool has_begun_ = false;
  bool is_between_members_ = false;
  bool has_member_ = false;
  bool has_member_output_ = false;
};

// RFC 9110 section 8.4.1.2: zlib's format; "some non-conformant implementations send raw deflate".
class DeflateCodec final : public Codec {
 public:
  Step run(Bytes input, MutableBytes out) override {
    if (inflater_) return inflater_->run(input, out);
    if (input.empty()) return {};
    const auto byte = static_cast<unsigned char>(input.front());
    if (!has_first_) {
      first_ = byte;
      has_first_ = true;
      if (may_begin_zlib(first_)) return after_first(input, out);
      inflater_.emplace(Inflater::Format::raw);
      return inflater_->run(input, out);
    }
    inflater_.emplace(is_zlib_header(first_, byte) ? Inflater::Format::zlib
                                                   : Inflater::Format::raw);
    const std::byte held[] = {static_cast<std::byte>(first_)};
    const Step step = inflater_->run(held, out);
    return step.status == Status::more ? inflater_->run(input, out) : Step{.status = step.status};
  }

  bool may_end() const override { return !has_first_; }
  std::size_t window_bytes_max() const override { return kWindowBytes; }

 private:
  // The first byte is held until the second one shows the format.
  Step after_first(Bytes input, MutableBytes out) {
    Step step = run(input.subspan(1), out);
    ++step.consumed;
    return step;
  }

  std::optional<Inflater> inflater_;
  unsigned char first_ = 0;
  bool has_first_ = false;
};

}  // namespace

std::unique_ptr<Codec> make_gzip_codec() { return std::make_unique<GzipCodec>(); }
std::unique_ptr<Codec> make_deflate_codec() { return std::make_unique<DeflateCodec>(); }

}  // namespace gossamer::wire
