#include "render/browser_words.h"

#include <array>

namespace gossamer::render {
namespace {

// A port where nothing listens. Every request is answered before it would be used.
constexpr std::string_view kDeadProxy = "--proxy-server=socks5://127.0.0.1:9";

constexpr std::array kFixedWords = {
    std::string_view("--headless"),
    std::string_view("--remote-debugging-pipe"),
    // The network. A shared worker's requests and sockets pass by the protocol.
    kDeadProxy,
    std::string_view("--proxy-bypass-list=<-loopback>"),
    std::string_view("--host-resolver-rules=MAP * ~NOTFOUND"),
    std::string_view("--force-webrtc-ip-handling-policy=disable_non_proxied_udp"),
    std::string_view("--webrtc-ip-handling-policy=disable_non_proxied_udp"),
    std::string_view("--disable-quic"),
    std::string_view("--dns-prefetch-disable"),
    std::string_view("--no-pings"),
    std::string_view("--disable-background-networking"),
    std::string_view("--disable-component-update"),
    std::string_view("--disable-domain-reliability"),
    std::string_view("--disable-sync"),
    // Frames share the process of their page, so that the page's session sees all requests. Whether
    // local addresses may be used is decided where requests are answered.
    std::string_view("--disable-site-isolation-trials"),
    std::string_view("--disable-features=IsolateOrigins,site-per-process,Prerender2,Translate,"
                     "LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests,"
                     "OptimizationHints,MediaRouter,AutofillServerCommunication"),
    std::string_view("--block-new-web-contents"),
    // What a page without a user does not need. A first window would be a process.
    std::string_view("--no-startup-window"),
    std::string_view("--disable-back-forward-cache"),  // nobody goes back to a page
    std::string_view("--disable-gpu"),
    std::string_view("--disable-software-rasterizer"),
    std::string_view("--disable-extensions"),
    std::string_view("--disable-breakpad"),
    std::string_view("--disable-crash-reporter"),
    std::string_view("--no-first-run"),
    std::string_view("--mute-audio"),
    std::string_view("--hide-scrollbars"),
    std::string_view("--password-store=basic"),
    std::string_view("--lang=en-US"),
    std::string_view("--window-size=1280,900"),
    std::string_view("--log-level=3"),
};

}  // namespace

std::vector<std::string> browser_words(std::string_view program, std::string_view profile,
                                       const LaunchOptions& options) {
  std::vector<std::string> words = {std::string(program)};
  words.insert(words.end(), kFixedWords.begin(), kFixedWords.end());
  words.push_back("--user-data-dir=" + std::string(profile));
  if (!options.user_agent.empty()) words.push_back("--user-agent=" + options.user_agent);
  if (!options.loads_images) words.emplace_back("--blink-settings=imagesEnabled=false");
  return words;
}

}  // namespace gossamer::render
