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

// What a target is fetched for.
enum class Purpose : std::uint8_t {
  page,
  root,             // a page: the user's own, or where that redirects
  requisite,        // part of a page rather than a page of its own
  sitemap,          // to be read as one
  nested_sitemap,   // listed by a sitemap of sitemaps
  guessed_sitemap,  // named by no robots.txt: we guess its URL, and do not mind if there is none
  probe,            // made up, to see what the host answers to nonsense
};

// A leaf is fetched, but not looked through for links.
enum class Leaf : std::uint8_t {
  no,
  yes,
  whole,  // with GET: its server did not like HEAD
};

// A URL that is to be fetched.
struct Target {
  std::string url;  // as it is requested, without fragment
  Referrer via;
  std::uint16_t depth = 0;     // links from a root
  std::uint8_t redirects = 0;  // that led here
  std::uint8_t tries = 0;      // so far
  Purpose purpose = Purpose::page;
  Leaf leaf = Leaf::no;
  std::uint8_t score = 0;    // the higher, the sooner, where the order goes by score
  std::uint64_t ticket = 0;  // where a Backlog keeps it; 0: nowhere

  bool is_root() const noexcept { return purpose == Purpose::root; }
  bool is_probe() const noexcept { return purpose == Purpose::probe; }
  bool is_leaf() const noexcept { return leaf != Leaf::no; }
  bool is_sitemap() const noexcept {
    return purpose == Purpose::sitemap || purpose == Purpose::nested_sitemap ||
           purpose == Purpose::guessed_sitemap;
  }
  // It is not wanted for itself. Records say so of a guessed sitemap, too.
  bool is_requisite() const noexcept {
    return purpose == Purpose::requisite || purpose == Purpose::guessed_sitemap;
  }
};

}  // namespace gossamer::crawler
