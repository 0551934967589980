// Generated from the API description, version 1.0.0. Do not edit.
#include <tally/data_exports.h>

#include "json/model_json_impl.h"
#include "operations.h"
#include "print/printer.h"

namespace tally::detail {

namespace {

constexpr Field dataExportFields[] = {
    identifier("dexp_", field<&DataExport::id>("id", Presence::required)),
    constant("object", "data_export"),
    field<&DataExport::created>("created", Presence::required),
    field<&DataExport::livemode>("livemode", Presence::required),
};

constexpr Field dataExportListParamsFields[] = {
    between(1, 100, field<&DataExportListParams::limit>("limit")),
    excluding("ending_before",
              identifier("dexp_", field<&DataExportListParams::startingAfter>("starting_after"))),
    excluding("starting_after",
              identifier("dexp_", field<&DataExportListParams::endingBefore>("ending_before"))),
};

}  // namespace

template <>
constinit const Struct Schema<DataExport>::value = describe<DataExport>("data_export", dataExportFields);
template <>
constinit const Struct Schema<DataExportListParams>::value =
    describe<DataExportListParams>("data_export_list_params", dataExportListParamsFields);

constinit const Resource dataExportResource{
    .name = "data_export",
    .plural = "data_exports",
    .idPrefix = "dexp_",
    .model = &Schema<DataExport>::value,
    .outsideReadAllocation = true,
};

constinit decltype(dataExportsList) dataExportsList{AnyOperation{
    .name = "data_exports.list",
    .kind = OperationKind::list,
    .method = Method::get,
    .path = "/v1/data/exports",
    .resource = &dataExportResource,
}};

}  // namespace tally::detail

namespace [[gnu::visibility("default")]] tally {

std::ostream& operator<<(std::ostream& out, const DataExport& value) {
  return detail::print(out, value);
}

template std::string toJson(const DataExport& object);
template Result<DataExport> fromJson(std::string_view json);

template <class O>
BasicDataExportListParams<O>::operator BasicDataExportListParams<detail::OppositeOf<O>>() const& {
  return {.limit = limit, .startingAfter = startingAfter, .endingBefore = endingBefore};
}
template struct BasicDataExportListParams<Owning>;
template struct BasicDataExportListParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const DataExportListParams& value) {
  return detail::print(out, value);
}

}  // namespace tally
