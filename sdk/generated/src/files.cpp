// Generated from the API description, version 1.0.0. Do not edit.
#include <tally/files.h>

#include "json/model_json_impl.h"
#include "operations.h"
#include "print/printer.h"

namespace tally::detail {

namespace {

constexpr Field fileFields[] = {
    identifier("file_", field<&File::id>("id", Presence::required)),
    constant("object", "file"),
    field<&File::purpose>("purpose", Presence::required),
    field<&File::filename>("filename", Presence::required),
    field<&File::created>("created", Presence::required),
    field<&File::livemode>("livemode", Presence::required),
};

constexpr Field fileCreateParamsFields[] = {
    field<&FileCreateParams::purpose>("purpose", Presence::required),
    field<&FileCreateParams::filename>("filename", Presence::required),
};

constexpr Field fileListParamsFields[] = {
    between(1, 100, field<&FileListParams::limit>("limit")),
    excluding("ending_before", identifier("file_", field<&FileListParams::startingAfter>("starting_after"))),
    excluding("starting_after", identifier("file_", field<&FileListParams::endingBefore>("ending_before"))),
};

}  // namespace

template <>
constinit const Struct Schema<File>::value = describe<File>("file", fileFields);
template <>
constinit const Struct Schema<FileCreateParams>::value =
    describe<FileCreateParams>("file_create_params", fileCreateParamsFields);
template <>
constinit const Struct Schema<FileListParams>::value =
    describe<FileListParams>("file_list_params", fileListParamsFields);

constinit const Resource fileResource{
    .name = "file",
    .plural = "files",
    .idPrefix = "file_",
    .model = &Schema<File>::value,
};

constinit decltype(filesCreate) filesCreate{AnyOperation{
    .name = "files.create",
    .kind = OperationKind::create,
    .method = Method::post,
    .path = "/v1/files",
    .resource = &fileResource,
    .body = BodyEncoding::form,
}};

constinit decltype(filesList) filesList{AnyOperation{
    .name = "files.list",
    .kind = OperationKind::list,
    .method = Method::get,
    .path = "/v1/files",
    .resource = &fileResource,
}};

constinit decltype(filesRetrieve) filesRetrieve{AnyOperation{
    .name = "files.retrieve",
    .kind = OperationKind::retrieve,
    .method = Method::get,
    .path = "/v1/files/{id}",
    .resource = &fileResource,
}};

}  // namespace tally::detail

namespace [[gnu::visibility("default")]] tally {

std::ostream& operator<<(std::ostream& out, const File& value) {
  return detail::print(out, value);
}

template std::string toJson(const File& object);
template Result<File> fromJson(std::string_view json);

template <class O>
BasicFileCreateParams<O>::operator BasicFileCreateParams<detail::OppositeOf<O>>() const& {
  return {.purpose = purpose, .filename = filename};
}
template struct BasicFileCreateParams<Owning>;
template struct BasicFileCreateParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const FileCreateParams& value) {
  return detail::print(out, value);
}

template <class O>
BasicFileListParams<O>::operator BasicFileListParams<detail::OppositeOf<O>>() const& {
  return {.limit = limit, .startingAfter = startingAfter, .endingBefore = endingBefore};
}
template struct BasicFileListParams<Owning>;
template struct BasicFileListParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const FileListParams& value) {
  return detail::print(out, value);
}

}  // namespace tally
