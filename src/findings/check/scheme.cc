#include "check/scheme.h"

#include <algorithm>
#include <array>

#include "base/edit_distance.h"

namespace gossamer::check {
namespace {

constexpr auto kHarmless = std::to_array<std::string_view>(
    {"mailto",   "tel",    "sms",     "javascript", "data",       "about", "blob",  "callto",
     "facetime", "geo",    "intent",  "mid",        "cid",        "skype", "slack", "whatsapp",
     "tg",       "viber",  "zoommtg", "vscode",     "webcal",     "xmpp",  "sip",   "sips",
     "maps",     "market", "steam",   "spotify",    "view-source"});

// Listed, so that none of them counts as a misspelt http.
constexpr auto kForeign = std::to_array<std::string_view>(
    {"ftp",  "ftps", "sftp", "ws",     "wss",    "git",    "ssh",     "svn",    "irc",
     "ircs", "nntp", "news", "gopher", "gemini", "magnet", "ldap",    "ldaps",  "rtsp",
     "rtmp", "urn",  "file", "ipfs",   "nfs",    "smb",    "bitcoin", "chrome", "doi",
     "info", "tag",  "dict", "telnet", "vnc",    "rdp"});

}  // namespace

SchemeVerdict judge_scheme(std::string_view scheme) {
  if (std::ranges::find(kHarmless, scheme) != kHarmless.end()) return {SchemeFate::harmless};
  if (std::ranges::find(kForeign, scheme) != kForeign.end()) return {SchemeFate::foreign};
  if (scheme.size() > 8) return {SchemeFate::foreign};
  // "htps" lacks one letter, "htttps" has one too many.
  const std::size_t to_http = base::edit_distance(scheme, "http");
  const std::size_t to_https = base::edit_distance(scheme, "https");
  const bool is_near = std::min(to_http, to_https) <= 2 && scheme.size() >= 3;
  if (is_near && scheme.find('t') != std::string_view::npos) {
    return {SchemeFate::misspelt, to_http <= to_https ? "http" : "https"};
  }
  return {SchemeFate::foreign};
}

}  // namespace gossamer::check
