#include "wire/whole_decoder.h"

#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>

#include "wire/zlib_header.h"

namespace gossamer::wire {
namespace {

// libdeflate needs the whole output in memory; for larger bodies, streaming is no slower.
constexpr std::size_t kFastEncodedBytesMax = 1024 * 1024;
constexpr std::size_t kFastDecodedBytesMax = 8 * 1024 * 1024;
// A gzip member has at least a header and a trailer.
constexpr std::size_t kGzipBytesMin = 18;

std::uint64_t fast_bytes_max(Bytes body, const DecodeLimits& limits) {
  const std::uint64_t by_ratio = std::max<std::uint64_t>(
      limits.ratio_free_bytes, limits.ratio_max * static_cast<std::uint64_t>(body.size()));
  return std::min<std::uint64_t>({limits.bytes_max, by_ratio, kFastDecodedBytesMax});
}

// The trailer contains the length of the plain data. It is only a hint, because it may be wrong.
std::uint32_t gzip_plain_bytes(Bytes body) {
  std::uint32_t size = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    size |= std::to_integer<std::uint32_t>(body[body.size() - 4 + i]) << (8 * i);
  }
  return size;
}

template <class Decompress>
std::optional<std::string> decompress_into(std::size_t bytes_max, Decompress decompress) {
  std::string plain;
  bool is_whole = false;
  // Not the whole size: the standard library may give more room than requested.
  plain.resize_and_overwrite(bytes_max, [&](char* data, std::size_t) {
    std::size_t used = 0;
    std::size_t produced = 0;
    is_whole = decompress(data, bytes_max, used, produced);
    return is_whole ? produced : 0;
  });
  if (!is_whole) return std::nullopt;
  return plain;
}

}  // namespace

WholeDecoder::WholeDecoder() = default;

void WholeDecoder::Deleter::operator()(libdeflate_decompressor* decompressor) const noexcept {
  libdeflate_free_decompressor(decompressor);
}

std::optional<std::string> WholeDecoder::decode_fast(std::span<const ContentCoding> codings,
                                                     Bytes body, const DecodeLimits& limits) {
  if (!is_fast(codings) || body.size() > kFastEncodedBytesMax) return std::nullopt;
  return codings[0] == ContentCoding::gzip ? decode_gzip(body, limits)
                                           : decode_deflate(body, limits);
}

bool WholeDecoder::is_fast(std::span<const ContentCoding> codings) noexcept {
  return codings.size() == 1 &&
         (codings[0] == ContentCoding::gzip || codings[0] == ContentCoding::deflate);
}

std::optional<std::string> WholeDecoder::decode_gzip(Bytes body, const DecodeLimits& limits) {
  if (body.size() < kGzipBytesMin) return std::nullopt;
  const std::size_t plain_bytes = gzip_plain_bytes(body);
  // Deflate compresses at most 1,032 to 1, so a larger length must be wrong and is not worth the
  // memory.
  if (plain_bytes > fast_bytes_max(body, limits) || plain_bytes > body.size() * 1032) {
    return std::nullopt;
  }
  if (decompressor_ == nullptr) decompressor_.reset(libdeflate_alloc_decompressor());
  if (decompressor_ == nullptr) throw std::bad_alloc();
  return decompress_into(
      plain_bytes, [&](char* data, std::size_t size, std::size_t& used, std::size_t& produced) {
        const libdeflate_result result = libdeflate_gzip_decompress_ex(
            decompressor_.get(), body.data(), body.size(), data, size, &used, &produced);
        return result == LIBDEFLATE_SUCCESS && used == body.size();
      });
}

std::optional<std::string> WholeDecoder::decode_deflate(Bytes body, const DecodeLimits& limits) {
  if (body.size() < 2) return std::nullopt;
  if (decompressor_ == nullptr) decompressor_.reset(libdeflate_alloc_decompressor());
  if (decompressor_ == nullptr) throw std::bad_alloc();
  const bool is_zlib = is_zlib_header(std::to_integer<unsigned char>(body[0]),
                                      std::to_integer<unsigned char>(body[1]));
  // The length is unknown; a page is rarely more than eight times its compressed size.
  const auto guess = static_cast<std::size_t>(
      std::min<std::uint64_t>(fast_bytes_max(body, limits), body.size() * 8 + 1024));
  return decompress_into(
      guess, [&](char* data, std::size_t size, std::size_t& used, std::size_t& produced) {
        const auto decompress =
            is_zlib ? libdeflate_zlib_decompress_ex : libdeflate_deflate_decompress_ex;
        return decompress(decompressor_.get(), body.data(), body.size(), data, size, &used,
                          &produced) == LIBDEFLATE_SUCCESS;
      });
}

}  // namespace gossamer::wire
