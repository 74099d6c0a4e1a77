#include <brotli/decode.h>

#include <new>

#include "wire/codec.h"

namespace gossamer::wire {
namespace {

constexpr std::size_t kWindowBytesMax = 16 * 1024 * 1024;

struct Deleter {
  void operator()(BrotliDecoderState* state) const { BrotliDecoderDestroyInstance(state); }
};

// RFC 7932. The format has windows of up to 16 MiB; the large-window extension is not enabled.
class BrotliCodec final : public Codec {
 public:
  Step run(Bytes input, MutableBytes out) override {
    if (state_ == nullptr) {
      if (input.empty()) return {};
      state_.reset(BrotliDecoderCreateInstance(nullptr, nullptr, nullptr));
      if (state_ == nullptr) throw std::bad_alloc();
    }
    std::size_t in_left = input.size();
    std::size_t out_left = out.size();
    const auto* next_in = reinterpret_cast<const std::uint8_t*>(input.data());
    auto* next_out = reinterpret_cast<std::uint8_t*>(out.data());
    const BrotliDecoderResult result = BrotliDecoderDecompressStream(
        state_.get(), &in_left, &next_in, &out_left, &next_out, nullptr);
    const auto status = result == BROTLI_DECODER_RESULT_SUCCESS ? Status::ended
                        : result == BROTLI_DECODER_RESULT_ERROR ? Status::damaged
                                                                : Status::more;
    return {input.size() - in_left, out.size() - out_left, status};
  }

  bool may_end() const override { return state_ == nullptr; }
  std::size_t window_bytes_max() const override { return kWindowBytesMax; }

 private:
  std::unique_ptr<BrotliDecoderState, Deleter> state_;
};

}  // namespace

std::unique_ptr<Codec> make_brotli_codec() { return std::make_unique<BrotliCodec>(); }

}  // namespace gossamer::wire
