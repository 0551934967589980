#include "certificates.h"

#include <atomic>

#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "openssl_objects.h"

namespace tally::test {

namespace {

Memory memory() {
  return Memory{BIO_new(BIO_s_mem())};
}

std::string textOf(const Memory& bytes) {
  char* begin = nullptr;
  const long size = BIO_get_mem_data(bytes.get(), &begin);
  return {begin, static_cast<std::size_t>(size)};
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

/// A certificate that is not signed yet.
Certificate unsignedCertificate(const std::string& name, const Key& key, const CertificateOptions& options) {
  Certificate made{X509_new()};
  X509_set_version(made.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(made.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(made.get()), static_cast<long>(options.from.count()));
  X509_gmtime_adj(X509_getm_notAfter(made.get()), static_cast<long>(options.until.count()));
  X509_set_pubkey(made.get(), key.get());
  X509_NAME_add_entry_by_txt(X509_get_subject_name(made.get()), "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
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
  static std::atomic<int> number = 0;  // authorities with the same name would be indistinguishable
  const Key key = newKey();
  const Certificate made = unsignedCertificate("Test authority " + std::to_string(++number), key, {});
  extend(made, NID_basic_constraints, "critical,CA:TRUE");
  sign(made, made, key);
  return pemOf(made, key);
}

}  // namespace

Certificate certificateFrom(const std::string& pem) {
  Certificate read{PEM_read_bio_X509(reading(pem).get(), nullptr, nullptr, nullptr)};
  require(read != nullptr, "read a certificate");
  return read;
}

Key keyFrom(const std::string& pem) {
  Key read{PEM_read_bio_PrivateKey(reading(pem).get(), nullptr, nullptr, nullptr)};
  require(read != nullptr, "read a key");
  return read;
}

std::string encryptedKey(const Identity& identity, const std::string& password) {
  const Memory written = memory();
  const bool done = PEM_write_bio_PKCS8PrivateKey(written.get(), keyFrom(identity.key).get(),
                                                  EVP_aes_128_cbc(), password.data(),
                                                  static_cast<int>(password.size()), nullptr, nullptr) == 1;
  require(done, "encrypt a key");
  return textOf(written);
}

Authority::Authority() : own_(selfSigned()), caFile_(folder_.write("ca.pem", own_.certificate)) {}

Identity Authority::issue(const CertificateOptions& options) const {
  const Certificate issuer = certificateFrom(own_.certificate);
  const Key issuerKey = keyFrom(own_.key);
  const Key key = newKey();
  const Certificate made = unsignedCertificate("Test service", key, options);
  extend(made, NID_subject_alt_name, options.names);
  sign(made, issuer, issuerKey);
  return pemOf(made, key);
}

}  // namespace tally::test
