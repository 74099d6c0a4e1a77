// Decompresses the bytes of an archive file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "warc/member_codec.h"

namespace gossamer::warc {

enum class Compression : std::uint8_t { none, gzip, zstd };

// Detects the compression by the first bytes, whatever the file name says, and decompresses member
// by member. After damage it searches for the next member.
//
// BOUND: holds a few bytes besides the codec's window.
class ArchiveInput {
 public:
  struct Step {
    enum class Kind : std::uint8_t {
      need_input,  // all input is consumed
      bytes,       // some bytes were appended
      member_end,  // bytes may come before it; never in an uncompressed file
      damaged,     // see damage(); earlier bytes may have been appended
      cut,         // the file ended inside a member
      end,         // of the file
    };
    Kind kind = Kind::need_input;
    std::size_t consumed = 0;
  };

  // Appends a piece to `out`: at most 64 KiB, and of one member only.
  Step read(Bytes input, std::string& out);
  // Call it when there is no more input; read() without input then continues to the end.
  void finish() noexcept { is_finished_ = true; }

  Compression compression() const noexcept { return compression_; }
  // Returns where the current member, or the last one that ended, begins in the file.
  std::uint64_t member_offset() const noexcept { return member_offset_; }
  // Returns how many bytes of the file were consumed.
  std::uint64_t position() const noexcept { return position_; }
  // Describes the damage at member_offset().
  std::string_view damage() const noexcept { return damage_; }
  // Returns whether the current member was found by searching after damage. It might not be a
  // member. If it turns out to be invalid, the search continues silently.
  bool is_trial() const noexcept { return is_trial_; }
  // Call it when the member contained something valid.
  void accept_trial() noexcept { is_trial_ = false; }

 private:
  enum class State : std::uint8_t { sniffing, plain, between, member, hunting };

  // Each one handles one part of the input. Returns true if the step is complete.
  bool sniff(Bytes& input, Step& step);
  bool copy(Bytes& input, std::string& out, Step& step);
  bool begin_member(Bytes& input, Step& step);
  bool inflate(Bytes& input, std::string& out, Step& step);
  bool hunt(Bytes& input, Step& step);
  bool end_of_input(Step& step);
  void consume(Bytes& input, std::size_t size) noexcept;
  bool is_magic(std::size_t index, std::byte byte) const noexcept;

  std::unique_ptr<MemberCodec> codec_;
  std::string held_;  // the consumed beginning of a possible member
  std::uint64_t position_ = 0;
  std::uint64_t member_offset_ = 0;
  std::string_view damage_;
  std::size_t matched_ = 0;  // bytes of the magic number, while searching
  State state_ = State::sniffing;
  Compression compression_ = Compression::none;
  bool is_finished_ = false;
  bool is_trial_ = false;
};

}  // namespace gossamer::warc
