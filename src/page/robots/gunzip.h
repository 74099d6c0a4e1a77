// Decompresses gzip as it arrives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace gossamer::robots {

//   gunzip.give(packed);
//   while (gunzip.next(piece) == Gunzip::Outcome::piece) use(piece);
class Gunzip {
 public:
  enum class Outcome : std::uint8_t {
    piece,
    needs_more,  // all input is used up; the data continues
    done,        // all members have ended; the rest is ignored
    broken,
  };

  Gunzip();
  ~Gunzip();
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;

  // BORROWS: `packed`, until next() returns something other than a piece.
  void give(std::string_view packed);

  // BOUND: a piece has at most 64 KiB. It is valid until the next call.
  Outcome next(std::string_view& piece);

  static bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1F\x8B"); }

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gossamer::robots
