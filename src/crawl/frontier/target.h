#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace gossamer::crawler {

// The URL of the page on which others were found. All of these share it.
//
// One pointer: queues hold millions of them. Counted without locks; belongs to one loop.
class Referrer {
 public:
  Referrer() = default;
  explicit Referrer(std::string url) : shared_(new Shared{.url = std::move(url)}) {}
  Referrer(const Referrer& other) noexcept : shared_(other.shared_) {
    if (shared_ != nullptr) ++shared_->uses;
  }
  Referrer(Referrer&& other) noexcept : shared_(std::exchange(other.shared_, nullptr)) {}
  Referrer& operator=(Referrer other) noexcept {
    std::swap(shared_, other.shared_);
    return *this;
  }
  ~Referrer() {
    if (shared_ != nullptr && --shared_->uses == 0) delete shared_;
  }

  // Empty: a root.
  std::string_view url() const noexcept {
    return shared_ == nullptr ? std::string_view() : std::string_view(shared_->url);
  }

  // For storage that knows nothing but bytes: the pointer goes there and comes back.
  void* release() && noexcept { return std::exchange(shared_, nullptr); }
  static Referrer adopt(void* released) noexcept {
    Referrer referrer;
    referrer.shared_ = static_cast<Shared*>(released);
    return referrer;
  }

 private:
  struct Shared {
    std::string url;
    std::uint32_t uses = 1;
  };

  Shared* shared_ = nullptr;
};

// A URL that is to be asked for.
struct Target {
  std::string url;  // as it is asked for, without fragment
  Referrer via;
  std::uint16_t depth = 0;      // links from a root
  std::uint8_t redirects = 0;   // that led here
  std::uint8_t tries = 0;       // so far
  bool is_requisite = false;    // part of a page rather than a page of its own
  bool is_sitemap = false;      // to be read as one
  bool is_nested = false;       // listed by a sitemap of sitemaps
  bool is_probe = false;        // made up, to see what the host answers to nonsense
  bool is_root = false;         // the user's own, or where that redirects
  bool is_leaf = false;         // to be asked for, not to be looked through
  bool is_asked_whole = false;  // a leaf whose server did not like HEAD
  std::uint8_t score = 0;       // the higher, the sooner, where the order goes by score
  std::uint64_t ticket = 0;     // where a Backlog keeps it; 0: nowhere

  // A sitemap that no robots.txt names: we guess its URL, and do not mind if there is none. It is
  // stored as both flags, which nothing else has: no page has a sitemap as a part.
  void mark_as_guessed_sitemap() noexcept { is_sitemap = is_requisite = true; }
  bool is_guessed_sitemap() const noexcept { return is_sitemap && is_requisite; }
  bool is_part_of_page() const noexcept { return is_requisite && !is_guessed_sitemap(); }
};

}  // namespace gossamer::crawler
