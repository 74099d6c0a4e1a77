// The bytes of an archive file, without the compression that is around them.
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

std::string_view name(Compression compression) noexcept;

// Finds out by the first bytes what the file is compressed with, whatever its name says, and undoes
// it member by member. After damage it looks for the next member.
//
// BOUND: besides the codec's window it holds a few bytes.
class ArchiveInput {
 public:
  struct Step {
    enum class Kind : std::uint8_t {
      need_input,  // all input is consumed
      bytes,       // some were appended
      member_end,  // perhaps with bytes before it; never in a file without compression
      damaged,     // see damage(); bytes that came before may have been appended
      cut,         // the file ended inside a member
      end,         // of the file
    };
    Kind kind = Kind::need_input;
    std::size_t consumed = 0;
  };

  // Appends a piece to `out`: at most 64 KiB, and of one member only.
  Step read(Bytes input, std::string& out);
  // No input will come any more; read() with none then goes on to the end.
  void finish() noexcept { is_finished_ = true; }

  Compression compression() const noexcept { return compression_; }
  // Where the present member begins in the file, or the one that ended last.
  std::uint64_t member_offset() const noexcept { return member_offset_; }
  // How many bytes of the file were consumed.
  std::uint64_t position() const noexcept { return position_; }
  // What was wrong at member_offset().
  std::string_view damage() const noexcept { return damage_; }
  // The present member was found while looking for one behind damage, and may be none. If it comes
  // to nothing, the next is looked for without a word.
  bool is_trial() const noexcept { return is_trial_; }
  // The member was good for something.
  void accept_trial() noexcept { is_trial_ = false; }

 private:
  enum class State : std::uint8_t { sniffing, plain, between, member, hunting };

  // Each does one thing with the input. True: the step is to be handed out.
  bool sniff(Bytes& input, Step& step);
  bool copy(Bytes& input, std::string& out, Step& step);
  bool begin_member(Bytes& input, Step& step);
  bool inflate(Bytes& input, std::string& out, Step& step);
  bool hunt(Bytes& input, Step& step);
  bool end_of_input(Step& step);
  void consume(Bytes& input, std::size_t size) noexcept;
  bool is_magic(std::size_t index, std::byte byte) const noexcept;

  std::unique_ptr<MemberCodec> codec_;
  std::string held_;  // the begin of a member that was consumed before it was known to be one
  std::uint64_t position_ = 0;
  std::uint64_t member_offset_ = 0;
  std::string_view damage_;
  std::size_t matched_ = 0;  // bytes of the magic number, while hunting
  State state_ = State::sniffing;
  Compression compression_ = Compression::none;
  bool is_finished_ = false;
  bool is_trial_ = false;
};

}  // namespace gossamer::warc
