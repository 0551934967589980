#include "certificates.h"

#include <memory>
#include <stdexcept>
#include <string_view>

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

namespace tally::test {

namespace {

template <class T, void (*free)(T*)>
struct Freed {
  void operator()(T* object) const { free(object); }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY, EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freed<X509, X509_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, Freed<X509_EXTENSION, X509_EXTENSION_free>>;
using Memory = std::unique_ptr<BIO, Freed<BIO, BIO_free_all>>;

void require(bool done, const char* what) {
  if (!done) throw std::runtime_error{std::string{"OpenSSL can't "} + what};
}

Memory memory() {
  return Memory{BIO_new(BIO_s_mem())};
}

std::string textOf(const Memory& bytes) {
  char* begin = nullptr;
  const long size = BIO_get_mem_data(bytes.get(), &begin);
  return {begin, static_cast<std::size_t>(size)};
}

Memory reading(std::string_view text) {
  return Memory{BIO_new_mem_buf(text.data(), static_cast<int>(text.size()))};
}

Identity pemOf(const Certificate& certificate, const Key& key) {
  const Memory first = memory();
  const Memory second = memory();
  require(PEM_write_bio_X509(first.get(), certificate.get()) == 1, "write a certificate");
  require(PEM_write_bio_PrivateKey(second.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1,
          "write a key");
  return {textOf(first), textOf(second)};
}

Key newKey() {
  Key key{EVP_EC_gen("P-256")};
  require(key != nullptr, "make a key");
  return key;
}

/// A certificate that nobody has signed.
Certificate unsignedCertificate(const char* name, const Key& key, const CertificateOptions& options) {
  Certificate made{X509_new()};
  X509_set_version(made.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(made.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(made.get()), options.from.count());
  X509_gmtime_adj(X509_getm_notAfter(made.get()), options.until.count());
  X509_set_pubkey(made.get(), key.get());
  X509_NAME_add_entry_by_txt(X509_get_subject_name(made.get()), "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>(name), -1, -1, 0);
  return made;
}

void extend(const Certificate& certificate, int kind, const std::string& value) {
  const Extension extension{X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str())};
  require(extension != nullptr, "put that into a certificate");
  X509_add_ext(certificate.get(), extension.get(), -1);
}

void sign(const Certificate& certificate, const Certificate& issuer, const Key& key) {
  X509_set_issuer_name(certificate.get(), X509_get_subject_name(issuer.get()));
  require(X509_sign(certificate.get(), key.get(), EVP_sha256()) != 0, "sign a certificate");
}

Identity selfSigned() {
  const Key key = newKey();
  const Certificate made = unsignedCertificate("Test authority", key, {});
  extend(made, NID_basic_constraints, "critical,CA:TRUE");
  sign(made, made, key);
  return pemOf(made, key);
}

}  // namespace

Authority::Authority() : own_(selfSigned()) {}

Identity Authority::issue(const CertificateOptions& options) const {
  const Certificate issuer{PEM_read_bio_X509(reading(own_.certificate).get(), nullptr, nullptr, nullptr)};
  const Key issuerKey{PEM_read_bio_PrivateKey(reading(own_.key).get(), nullptr, nullptr, nullptr)};
  const Key key = newKey();
  const Certificate made = unsignedCertificate("Test service", key, options);
  extend(made, NID_subject_alt_name, options.names);
  sign(made, issuer, issuerKey);
  return pemOf(made, key);
}

}  // namespace tally::test
