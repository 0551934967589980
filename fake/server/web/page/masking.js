// Keys and metadata are shown only on purpose.

export const mask = '••••••';
export const isSecretName = (name) => /^metadata(\[|$)/.test(name) || /(^|[_\-\[])(key|secret|token|authorization)\]?$/i.test(name);

// A copy of a request without what looks like a key, wherever the client has put it.
export const withoutKeys = (entry) => JSON.parse(JSON.stringify(entry).replace(/\b[rs]k_(live|test)_\w+/g, mask));

// A copy in which metadata and keys are masked.
export function masked(value) {
  const hide = (part) => (typeof part === 'object' && part !== null && !Array.isArray(part)
    ? Object.fromEntries(Object.keys(part).map((name) => [name, mask])) : part === null ? null : mask);
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, isSecretName(name) ? hide(part) : masked(part)]));
}
