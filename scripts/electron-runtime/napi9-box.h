// Force-included into an addon written for Node-API 10 so that it runs on Node-API 9 (Electron 33): there, references
// to strings and other primitives do not exist, so these are put into an array first and the array is referenced.
// For tests only; what ships has Node-API 10.
#pragma once
#include <node_api.h>
#include <unordered_set>

namespace napi9_box {

inline std::unordered_set<napi_ref>& boxed() {
  static thread_local std::unordered_set<napi_ref> references;
  return references;
}

inline napi_status create_reference(napi_env env, napi_value value, uint32_t count, napi_ref* made) {
  napi_valuetype type;
  napi_status status = napi_typeof(env, value, &type);
  if (status != napi_ok) return status;
  const bool can_be_referenced =
      type == napi_object || type == napi_function || type == napi_symbol || type == napi_external;
  if (can_be_referenced) return napi_create_reference(env, value, count, made);
  napi_value box;
  if ((status = napi_create_array_with_length(env, 1, &box)) != napi_ok) return status;
  if ((status = napi_set_element(env, box, 0, value)) != napi_ok) return status;
  if ((status = napi_create_reference(env, box, count, made)) != napi_ok) return status;
  boxed().insert(*made);
  return napi_ok;
}

inline napi_status get_reference_value(napi_env env, napi_ref reference, napi_value* value) {
  napi_status status = napi_get_reference_value(env, reference, value);
  if (status != napi_ok || *value == nullptr || boxed().count(reference) == 0) return status;
  napi_value inside;
  if ((status = napi_get_element(env, *value, 0, &inside)) == napi_ok) *value = inside;
  return status;
}

inline napi_status delete_reference(napi_env env, napi_ref reference) {
  boxed().erase(reference);
  return napi_delete_reference(env, reference);
}

}  // namespace napi9_box

#define napi_create_reference napi9_box::create_reference
#define napi_get_reference_value napi9_box::get_reference_value
#define napi_delete_reference napi9_box::delete_reference
