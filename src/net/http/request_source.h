#pragma once

#include "http/exchange_step.h"
#include "http/request.h"

namespace gossamer::http {

// Provides a request whenever it must be sent: usually once, twice if a reused connection turns out
// to be dead. So the request need not be in memory while its response is awaited, which is where
// most requests are, most of the time.
class RequestSource {
 public:
  // Returns the same request every time: a stored one, or `room`, filled in.
  // BORROWS: until this object or the room is destroyed.
  virtual const Request& request(Request& room) const = 0;
  // Reports the progress of the exchange.
  virtual void note(ExchangeStep step) noexcept = 0;

 protected:
  RequestSource() = default;
  RequestSource(const RequestSource&) = default;
  RequestSource& operator=(const RequestSource&) = default;
  ~RequestSource() = default;
};

// Provides a request that exists already. BORROWS: the request.
class StoredRequest final : public RequestSource {
 public:
  explicit StoredRequest(const Request& request) noexcept : request_(request) {}

  const Request& request(Request& /*room*/) const override { return request_; }
  void note(ExchangeStep step) noexcept override {
    if (request_.step != nullptr) *request_.step = step;
  }

 private:
  const Request& request_;
};

}  // namespace gossamer::http
