// Certificates for tests, made at run time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

struct evp_pkey_st;
struct x509_st;

namespace gossamer::net {

struct FreeTestKey {
  void operator()(evp_pkey_st* key) const noexcept;
};
struct FreeTestCertificate {
  void operator()(x509_st* certificate) const noexcept;
};

// A certificate and its key. The key is Ed25519, whose signatures all have the same length, so that
// a simulated world with TLS is repeatable.
struct TestIdentity {
  std::unique_ptr<evp_pkey_st, FreeTestKey> key;
  std::unique_ptr<x509_st, FreeTestCertificate> certificate;

  std::string certificate_pem() const;
  std::string key_pem() const;
};

struct TestCertificateOptions {
  std::string common_name = "test";
  std::string alternative_names = "DNS:server.example";  // in OpenSSL's format of subjectAltName
  std::int64_t valid_from = -3600;                       // seconds from now
  std::int64_t valid_until = 3600;
  bool is_authority = false;
  std::string padding;  // makes the certificate larger by about this much
};

// Signed by `issuer`; self-signed if that is null.
TestIdentity make_identity(const TestCertificateOptions& options, const TestIdentity* issuer);

inline TestIdentity make_authority(std::string name = "test authority") {
  return make_identity(
      {.common_name = std::move(name), .alternative_names = "", .is_authority = true}, nullptr);
}

// A temporary file with the text.
class TestFile {
 public:
  explicit TestFile(const std::string& text);
  ~TestFile();
  TestFile(const TestFile&) = delete;
  TestFile& operator=(const TestFile&) = delete;
  const std::string& path() const { return path_; }
  std::string read() const;

 private:
  std::string path_;
};

}  // namespace gossamer::net
