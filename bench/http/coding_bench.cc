// Content codings: the cost of our decoders, compared with the libraries alone.
#include <brotli/decode.h>
#include <brotli/encode.h>
#include <libdeflate.h>
#include <zlib.h>
#include <zstd.h>

#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "bench/http/benchmarks.h"
#include "bench/support/cpu.h"
#include "bench/support/samples.h"
#include "tests/support/decode_whole.h"
#include "wire/content_decoder.h"

namespace gossamer::bench {
namespace {

constexpr double kRatioMax = 1.2;
constexpr std::size_t kCodedBytes = 32 * 1024;
constexpr std::size_t kPieceBytes = 16 * 1024;
constexpr std::size_t kOutBytes = 64 * 1024;

[[noreturn]] void give_up(const char* what) {
  std::fprintf(stderr, "bench_http: %s does not work\n", what);
  std::exit(1);
}

// Text that compresses about as well as a page: repeated words and unique numbers.
std::string page(unsigned seed) {
  static constexpr const char* kWords[] = {"<div class=\"row\">",
                                           "</div>\n",
                                           "<a href=\"/article/",
                                           "\">read more</a>",
                                           "<p>",
                                           "</p>\n",
                                           "the ",
                                           "crawler ",
                                           "page ",
                                           "of ",
                                           "and ",
                                           "content ",
                                           "header ",
                                           "response ",
                                           "server "};
  std::string text;
  while (text.size() < kCodedBytes) {
    seed = seed * 1'103'515'245 + 12'345;
    text += kWords[(seed >> 16) % std::size(kWords)];
    if ((seed >> 8 & 7) == 0) text += std::to_string(seed);
  }
  return text;
}

std::string gzipped(const std::string& plain) {
  z_stream stream = {};
  if (deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    give_up("zlib");
  }
  std::string packed(deflateBound(&stream, plain.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) give_up("zlib");
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string brotlied(const std::string& plain) {
  std::string packed(BrotliEncoderMaxCompressedSize(plain.size()), '\0');
  std::size_t size = packed.size();
  if (BrotliEncoderCompress(5, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_TEXT, plain.size(),
                            reinterpret_cast<const std::uint8_t*>(plain.data()), &size,
                            reinterpret_cast<std::uint8_t*>(packed.data())) != BROTLI_TRUE) {
    give_up("brotli");
  }
  packed.resize(size);
  return packed;
}

std::string zstded(const std::string& plain) {
  std::string packed(ZSTD_compressBound(plain.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), 3));
  return packed;
}

std::vector<std::byte>& out_buffer() {
  static std::vector<std::byte> out(kOutBytes);
  return out;
}

// Our decoder, as a body arrives.
std::size_t stream_ours(wire::ContentCoding coding, const std::string& packed) {
  const wire::ContentCoding codings[] = {coding};
  wire::ContentDecoder decoder(codings);
  std::size_t bytes = 0;
  for (std::size_t at = 0; at < packed.size(); at += kPieceBytes) {
    Bytes input = as_bytes(std::string_view(packed).substr(at, kPieceBytes));
    bool is_full = true;
    while (is_full && !decoder.has_stopped()) {
      const auto step = decoder.decode(input, out_buffer());
      input = input.subspan(step.consumed);
      bytes += step.produced;
      is_full = step.produced == kOutBytes;
    }
  }
  return bytes;
}

std::size_t whole_ours(const std::string& packed) {
  static wire::WholeDecoder decoder;
  const wire::ContentCoding codings[] = {wire::ContentCoding::gzip};
  return decode_whole(decoder, codings, as_bytes(packed)).bytes.size();
}

std::size_t stream_zlib(const std::string& packed) {
  z_stream stream = {};
  if (inflateInit2(&stream, MAX_WBITS + 16) != Z_OK) give_up("zlib");
  for (std::size_t at = 0; at < packed.size(); at += kPieceBytes) {
    const auto piece = std::string_view(packed).substr(at, kPieceBytes);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
    stream.avail_in = static_cast<uInt>(piece.size());
    do {
      stream.next_out = reinterpret_cast<Bytef*>(out_buffer().data());
      stream.avail_out = kOutBytes;
      inflate(&stream, Z_NO_FLUSH);
    } while (stream.avail_out == 0);
  }
  const std::size_t bytes = stream.total_out;
  inflateEnd(&stream);
  return bytes;
}

std::size_t whole_libdeflate(const std::string& packed) {
  static libdeflate_decompressor* const decompressor = libdeflate_alloc_decompressor();
  std::string plain;
  std::size_t size = 0;
  plain.resize_and_overwrite(2 * kCodedBytes, [&](char* data, std::size_t room) {
    libdeflate_gzip_decompress(decompressor, packed.data(), packed.size(), data, room, &size);
    return size;
  });
  return plain.size();
}

std::size_t stream_brotli(const std::string& packed) {
  BrotliDecoderState* const state = BrotliDecoderCreateInstance(nullptr, nullptr, nullptr);
  std::size_t bytes = 0;
  std::size_t in_left = packed.size();
  const auto* in = reinterpret_cast<const std::uint8_t*>(packed.data());
  BrotliDecoderResult result = BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT;
  while (result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT) {
    std::size_t out_left = kOutBytes;
    auto* out = reinterpret_cast<std::uint8_t*>(out_buffer().data());
    result = BrotliDecoderDecompressStream(state, &in_left, &in, &out_left, &out, nullptr);
    bytes += kOutBytes - out_left;
  }
  BrotliDecoderDestroyInstance(state);
  return bytes;
}

std::size_t stream_zstd(const std::string& packed) {
  ZSTD_DCtx* const context = ZSTD_createDCtx();
  ZSTD_inBuffer in = {packed.data(), packed.size(), 0};
  std::size_t bytes = 0;
  while (in.pos < in.size) {
    ZSTD_outBuffer out = {out_buffer().data(), kOutBytes, 0};
    if (ZSTD_isError(ZSTD_decompressStream(context, &out, &in)) != 0) break;
    bytes += out.pos;
  }
  ZSTD_freeDCtx(context);
  return bytes;
}

struct Pair {
  const char* name;
  std::string (*pack)(const std::string& plain);
  std::size_t (*library)(const std::string& packed);
  std::size_t (*ours)(const std::string& packed);
};

constexpr Pair kPairs[] = {
    {"coding/gzip, whole, against libdeflate", gzipped, whole_libdeflate, whole_ours},
    {"coding/gzip, in pieces, against zlib", gzipped, stream_zlib,
     [](const std::string& packed) { return stream_ours(wire::ContentCoding::gzip, packed); }},
    {"coding/br, in pieces, against brotli", brotlied, stream_brotli,
     [](const std::string& packed) { return stream_ours(wire::ContentCoding::brotli, packed); }},
    {"coding/zstd, in pieces, against zstd", zstded, stream_zstd,
     [](const std::string& packed) { return stream_ours(wire::ContentCoding::zstd, packed); }},
};

}  // namespace

void codings(const Options& options, Report& report) {
  const std::size_t pages = options.quick ? 20 : 400;
  std::vector<std::string> plain;
  for (unsigned i = 0; i < pages; ++i) plain.push_back(page(i));
  report.heading("pages of 32 KiB, processor time for each");
  for (const Pair& pair : kPairs) {
    std::vector<std::string> packed;
    for (const std::string& text : plain) packed.push_back(pair.pack(text));
    const auto samples = in_turns(options.quick ? 1 : 7, 2, [&](std::size_t i) {
      const double begin = process_cpu_ns();
      std::size_t bytes = 0;
      for (const std::string& body : packed) bytes += i == 0 ? pair.library(body) : pair.ours(body);
      if (bytes < pages * kCodedBytes) give_up(pair.name);
      return (process_cpu_ns() - begin) / static_cast<double>(pages) / 1e3;
    });
    const double floor = median(samples[0]);
    report.add({.name = pair.name,
                .value = median(samples[1]),
                .unit = "us",
                .floor = floor,
                .target = floor * kRatioMax});
  }
}

}  // namespace gossamer::bench
