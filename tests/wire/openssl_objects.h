#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

namespace tally::test {

template <class T, void (*Free)(T*)>
struct Freed {
  void operator()(T* object) const { Free(object); }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY, EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freed<X509, X509_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, Freed<X509_EXTENSION, X509_EXTENSION_free>>;
using Memory = std::unique_ptr<BIO, Freed<BIO, BIO_free_all>>;
using Context = std::unique_ptr<SSL_CTX, Freed<SSL_CTX, SSL_CTX_free>>;
using Session = std::unique_ptr<SSL, Freed<SSL, SSL_free>>;

inline void require(bool done, const char* what) {
  if (!done) throw std::runtime_error{std::string{"OpenSSL can't "} + what};
}

inline Memory reading(std::string_view text) {
  return Memory{BIO_new_mem_buf(text.data(), static_cast<int>(text.size()))};
}

[[nodiscard]] Certificate certificateFrom(const std::string& pem);
[[nodiscard]] Key keyFrom(const std::string& pem);

}  // namespace tally::test
