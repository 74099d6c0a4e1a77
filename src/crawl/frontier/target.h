#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace gossamer::crawler {

// The URL of the page that contains links. All targets from that page share it.
//
// It is one pointer, since queues hold millions of them. The count has no lock; it belongs to one
// loop.
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

  // Convert the pointer to and from bytes, for packed queues.
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

// Why a target is fetched.
enum class Purpose : std::uint8_t {
  page,
  root,             // a page that the user named, or its redirect target
  requisite,        // part of a page, such as an image
  sitemap,          // read as a sitemap
  nested_sitemap,   // listed by a sitemap of sitemaps
  guessed_sitemap,  // robots.txt names none, so its URL is a guess
  probe,            // a URL that cannot exist, to detect soft 404s
  guess,            // a page whose URL is a string in a script
};
inline constexpr Purpose kLastPurpose = Purpose::guess;

// A leaf is fetched, but its links are not read.
enum class Leaf : std::uint8_t {
  no,
  yes,
  whole,  // with GET, because HEAD failed
};

// Whether a 503 of a target was its own fault rather than its host's.
enum class Fault : std::uint8_t {
  unknown,
  likely,  // other pages of the host were answered since; another 503 proves it
  proven,
};

// A URL to fetch.
struct Target {
  std::string url;  // as requested, without fragment
  Referrer via;
  std::uint16_t depth = 0;     // links from a root
  std::uint8_t redirects = 0;  // redirects that led here
  std::uint8_t tries = 0;      // so far
  Purpose purpose = Purpose::page;
  Leaf leaf = Leaf::no;
  std::uint8_t score = 0;  // for the order by score: higher is earlier
  Fault fault = Fault::unknown;
  std::uint64_t ticket = 0;  // its place in a Backlog; 0: none

  bool is_root() const noexcept { return purpose == Purpose::root; }
  bool is_probe() const noexcept { return purpose == Purpose::probe; }
  bool is_leaf() const noexcept { return leaf != Leaf::no; }
  bool is_sitemap() const noexcept {
    return purpose == Purpose::sitemap || purpose == Purpose::nested_sitemap ||
           purpose == Purpose::guessed_sitemap;
  }
  // True if it is not a page itself. Records also mark guessed sitemaps.
  bool is_requisite() const noexcept {
    return purpose == Purpose::requisite || purpose == Purpose::guessed_sitemap;
  }
};

}  // namespace gossamer::crawler
