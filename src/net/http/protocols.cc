#include "http/protocols.h"

#include <utility>

namespace gossamer::http {

std::vector<std::string> alpn_of(Protocols protocols) {
  if (protocols == Protocols::http1) return {"http/1.1"};
  return {"h2", "http/1.1"};
}

std::optional<Version> VersionMemory::find(const std::string& key, Instant now) const {
  for (const Versions* versions : {&recent_, &older_}) {
    const auto place = versions->find(key);
    if (place == versions->end()) continue;
    if (now - place->second.at >= kAgeMax) break;
    return place->second.version;
  }
  return std::nullopt;
}

void VersionMemory::note(const std::string& key, Version version, Instant now) {
  recent_.insert_or_assign(key, Noted{.version = version, .at = now});
  if (recent_.size() < kOriginsMax / 2) return;
  older_ = std::exchange(recent_, {});
}

}  // namespace gossamer::http
