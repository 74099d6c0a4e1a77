// Numbers in the text format of Prometheus.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "server/response.h"

namespace gossamer::server {

class HttpServer;

// https://prometheus.io/docs/instrumenting/exposition_formats/
class Metrics {
 public:
  enum class Kind : std::uint8_t { counter, gauge };

  // Adds to a number. `label` is a name and a value; the name is empty if there is none.
  struct Label {
    std::string_view name;
    std::string_view value;
  };
  void add(Kind kind, std::string_view name, std::string_view help, std::uint64_t value,
           Label first = {"", ""}, Label second = {"", ""});

  std::string text() const;
  // The answer to a request for them.
  Response response() const;

 private:
  struct Family {
    Kind kind = Kind::gauge;
    std::string help;
    std::map<std::string, std::uint64_t> values;  // by the labels as written
  };
  std::map<std::string, Family, std::less<>> families_;
};

// Adds the counts of a server.
void add_server(Metrics& metrics, const HttpServer& server);

}  // namespace gossamer::server
