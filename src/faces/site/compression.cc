#include "site/compression.h"

#include <zlib.h>

#include "base/check.h"
#include "base/random.h"

namespace gossamer::site {
namespace {

// zlib's windowBits: + 16 writes the gzip format.
std::string deflated(std::string_view text, int window_bits) {
  z_stream stream = {};
  CHECK_EQ(deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY),
           Z_OK);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  CHECK_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

void append_number(std::string& out, std::uint32_t number) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<char>(number >> shift));
}

// Length, type, data, CRC of type and data (PNG section 5.3).
void append_chunk(std::string& out, std::string_view type, std::string_view data) {
  append_number(out, static_cast<std::uint32_t>(data.size()));
  const std::size_t checked = out.size();
  out += type;
  out += data;
  const std::string_view covered = std::string_view(out).substr(checked);
  append_number(out,
                static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(covered.data()),
                                                 static_cast<uInt>(covered.size()))));
}

}  // namespace

std::string gzip(std::string_view text) { return deflated(text, MAX_WBITS + 16); }

std::string write_png(std::uint32_t side, std::uint64_t seed) {
  std::string header;
  append_number(header, side);
  append_number(header, side);
  header += {'\x08', '\0', '\0', '\0', '\0'};  // 8 bits of grey, not interlaced
  base::Random random(seed);
  std::string rows;
  for (std::uint32_t y = 0; y < side; ++y) {
    rows.push_back('\0');  // no filter
    for (std::uint32_t x = 0; x < side; ++x) rows.push_back(static_cast<char>(random.below(256)));
  }
  std::string out = "\x89PNG\r\n\x1A\n";
  append_chunk(out, "IHDR", header);
  append_chunk(out, "IDAT", deflated(rows, MAX_WBITS));
  append_chunk(out, "IEND", "");
  return out;
}

}  // namespace gossamer::site
