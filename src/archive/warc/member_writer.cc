#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include "base/check.h"
#include "warc/record_writer.h"

namespace gossamer::warc {

MemberWriter::MemberWriter(int level) : level_(level), stream_(std::make_unique<z_stream_s>()) {
  CHECK(level >= 1 && level <= 9);
  constexpr int kMemoryLevel = 8;
  const int result = deflateInit2(stream_.get(), level, Z_DEFLATED, MAX_WBITS + 16, kMemoryLevel,
                                  Z_DEFAULT_STRATEGY);
  if (result != Z_OK) throw std::bad_alloc();
}

MemberWriter::~MemberWriter() { deflateEnd(stream_.get()); }

void MemberWriter::write(Bytes bytes, std::string& out) {
  constexpr std::size_t kMost = std::numeric_limits<uInt>::max();
  while (!bytes.empty()) {
    const std::size_t size = std::min(bytes.size(), kMost);
    run(bytes.first(size), Z_NO_FLUSH, out);
    bytes = bytes.subspan(size);
  }
}

void MemberWriter::store(Bytes bytes, std::string& out) {
  stop_compressing(out);
  write(bytes, out);
}

void MemberWriter::stop_compressing(std::string& out) {
  constexpr std::size_t kPiece = 4 * 1024;
  if (std::exchange(stores_, true)) return;
  stream_->next_in = nullptr;
  stream_->avail_in = 0;
  int result = Z_BUF_ERROR;
  while (result == Z_BUF_ERROR) {  // the buffer was too small
    const std::size_t before = out.size();
    out.resize_and_overwrite(before + kPiece, [&](char* data, std::size_t size) {
      stream_->next_out = reinterpret_cast<Bytef*>(data + before);
      stream_->avail_out = static_cast<uInt>(size - before);
      result = deflateParams(stream_.get(), Z_NO_COMPRESSION, Z_DEFAULT_STRATEGY);
      return size - stream_->avail_out;
    });
  }
  CHECK_EQ(result, Z_OK);
}

void MemberWriter::finish(std::string& out) {
  run({}, Z_FINISH, out);
  CHECK_EQ(deflateReset(stream_.get()), Z_OK);
  if (!std::exchange(stores_, false)) return;
  CHECK_EQ(deflateParams(stream_.get(), level_, Z_DEFAULT_STRATEGY), Z_OK);
}

void MemberWriter::run(Bytes bytes, int flush, std::string& out) {
  constexpr std::size_t kPiece = 32 * 1024;
  stream_->next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data()));
  stream_->avail_in = static_cast<uInt>(bytes.size());
  while (true) {
    const std::size_t before = out.size();
    int result = Z_OK;
    out.resize_and_overwrite(before + kPiece, [&](char* data, std::size_t size) {
      stream_->next_out = reinterpret_cast<Bytef*>(data + before);
      stream_->avail_out = static_cast<uInt>(size - before);
      result = deflate(stream_.get(), flush);
      return size - stream_->avail_out;
    });
    CHECK(result != Z_STREAM_ERROR);
    const bool is_done = flush == Z_FINISH ? result == Z_STREAM_END : stream_->avail_out > 0;
    if (is_done) return;
  }
}

}  // namespace gossamer::warc
