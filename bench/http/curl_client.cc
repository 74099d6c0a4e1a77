#include <curl/curl.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "base/check.h"
#include "bench/http/get_load.h"

namespace gossamer::bench {

namespace {

constexpr int kEventsMax = 128;
constexpr long kWholeMs = 300'000;      // as http::Deadlines
constexpr long kFirstByteSeconds = 30;  // the closest option of curl

struct Transfer {
  CURL* handle = nullptr;
  std::string site;
  std::string url;
  const ServedPage* page = nullptr;
  std::size_t bytes = 0;
};

class CurlClient {
 public:
  explicit CurlClient(const GetLoad& load)
      : load_(load),
        turns_(load),
        progress_(load.warm_up, load.answers),
        epoll_(epoll_create1(EPOLL_CLOEXEC)),
        multi_(curl_multi_init()),
        transfers_(static_cast<std::size_t>(load.connections)) {
    curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
    curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, on_timer);
    curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
    curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, static_cast<long>(load.connections));
  }
  CurlClient(const CurlClient&) = delete;
  CurlClient& operator=(const CurlClient&) = delete;
  ~CurlClient() {
    for (const Transfer& transfer : transfers_) {
      curl_multi_remove_handle(multi_, transfer.handle);
      curl_easy_cleanup(transfer.handle);
    }
    curl_multi_cleanup(multi_);
    close(epoll_);
  }

  FetchCost run() {
    for (std::size_t i = 0; i < transfers_.size(); ++i) {
      open(transfers_[i], load_.site_of(static_cast<int>(i)));
      begin(transfers_[i]);
    }
    act(CURL_SOCKET_TIMEOUT, 0);
    std::array<epoll_event, kEventsMax> events;
    while (!progress_.over()) {
      const int count = epoll_wait(epoll_, events.data(), kEventsMax, timeout_ms());
      for (int i = 0; i < count; ++i) {
        const epoll_event& event = events[static_cast<std::size_t>(i)];
        act(event.data.fd, ((event.events & EPOLLIN) != 0 ? CURL_CSELECT_IN : 0) |
                               ((event.events & EPOLLOUT) != 0 ? CURL_CSELECT_OUT : 0));
      }
      if (timeout_ms() == 0) {
        due_ns_ = -1;
        act(CURL_SOCKET_TIMEOUT, 0);
      }
      take_answers();
    }
    return progress_.cost();
  }

 private:
  void open(Transfer& transfer, std::string site) {
    transfer.site = std::move(site);
    transfer.handle = curl_easy_init();
    curl_easy_setopt(transfer.handle, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(transfer.handle, CURLOPT_WRITEDATA, &transfer);
    curl_easy_setopt(transfer.handle, CURLOPT_PRIVATE, &transfer);
    curl_easy_setopt(transfer.handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(transfer.handle, CURLOPT_USERAGENT, "gossamer");
    curl_easy_setopt(transfer.handle, CURLOPT_TIMEOUT_MS, kWholeMs);
    curl_easy_setopt(transfer.handle, CURLOPT_SERVER_RESPONSE_TIMEOUT, kFirstByteSeconds);
    if (load_.spoken == Spoken::plain_http1) return;
    const bool is_http2 = load_.spoken == Spoken::tls_http2;
    curl_easy_setopt(transfer.handle, CURLOPT_CAINFO, load_.ca_file.c_str());
    curl_easy_setopt(transfer.handle, CURLOPT_HTTP_VERSION,
                     static_cast<long>(is_http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
    // The first one connects, and the others share its connection.
    curl_easy_setopt(transfer.handle, CURLOPT_PIPEWAIT, is_http2 ? 1L : 0L);
  }

  void begin(Transfer& transfer) {
    transfer.page = &load_.pages[turns_.next()];
    transfer.bytes = 0;
    transfer.url = transfer.site;
    transfer.url += transfer.page->path;
    curl_easy_setopt(transfer.handle, CURLOPT_URL, transfer.url.c_str());
    CHECK(curl_multi_add_handle(multi_, transfer.handle) == CURLM_OK);
  }

  void act(curl_socket_t socket, int ready) {
    int running = 0;
    CHECK(curl_multi_socket_action(multi_, socket, ready, &running) == CURLM_OK);
  }

  void take_answers() {
    int left = 0;
    while (CURLMsg* const message = curl_multi_info_read(multi_, &left)) {
      CURL* const handle = message->easy_handle;
      const CURLcode result = message->data.result;  // removing the handle frees the message
      Transfer* transfer = nullptr;
      long status = 0;
      curl_off_t took_us = 0;
      curl_easy_getinfo(handle, CURLINFO_PRIVATE, &transfer);
      curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
      curl_easy_getinfo(handle, CURLINFO_TOTAL_TIME_T, &took_us);
      CHECK(result == CURLE_OK && status == 200 && transfer->bytes == transfer->page->bytes,
            "libcurl: {}: {}, status {}, {} bytes", transfer->url, curl_easy_strerror(result),
            status, transfer->bytes);
      slowest_us_ = std::max(slowest_us_, took_us);
      curl_multi_remove_handle(multi_, handle);
      progress_.answered();
      if (progress_.over()) return;
      begin(*transfer);
    }
  }

  int timeout_ms() const {
    if (due_ns_ < 0) return -1;
    return static_cast<int>(std::max(0.0, (due_ns_ - wall_ns() + 999'999) / 1e6));
  }

  static std::size_t on_body(char*, std::size_t size, std::size_t count, void* transfer) {
    static_cast<Transfer*>(transfer)->bytes += size * count;
    return size * count;
  }

  static int on_timer(CURLM*, long timeout_ms, void* self) {
    static_cast<CurlClient*>(self)->due_ns_ =
        timeout_ms < 0 ? -1 : wall_ns() + static_cast<double>(timeout_ms) * 1e6;
    return 0;
  }

  // `known` is our pointer for this socket: nullptr when it is new.
  static int on_socket(CURL*, curl_socket_t socket, int what, void* self, void* known) {
    auto& client = *static_cast<CurlClient*>(self);
    if (what == CURL_POLL_REMOVE) {
      epoll_ctl(client.epoll_, EPOLL_CTL_DEL, socket, nullptr);
      return 0;
    }
    epoll_event event = {.events = ((what & CURL_POLL_IN) != 0 ? EPOLLIN : 0U) |
                                   ((what & CURL_POLL_OUT) != 0 ? EPOLLOUT : 0U),
                         .data = {.fd = socket}};
    epoll_ctl(client.epoll_, known == nullptr ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, socket, &event);
    curl_multi_assign(client.multi_, socket, self);
    return 0;
  }

  const GetLoad& load_;
  PageTurns turns_;
  FetchProgress progress_;
  int epoll_;
  CURLM* multi_;
  std::vector<Transfer> transfers_;
  double due_ns_ = -1;
  curl_off_t slowest_us_ = 0;
};

}  // namespace

bool curl_is_built_in() { return true; }

FetchCost get_with_libcurl(const GetLoad& load) {
  curl_global_init(CURL_GLOBAL_DEFAULT);
  return CurlClient(load).run();
}

}  // namespace gossamer::bench
