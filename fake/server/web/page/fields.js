// The fields of a form, made from the schemas of the control API.

import {el, fill} from './elements.js';
import {capitalized, parsedJson, proseOf, words} from './text.js';
import {state} from './control.js';

const resolved = (schema) => (schema && schema.$ref ? {...state.schemas[schema.$ref.split('/').pop()], ...schema, $ref: undefined} : schema || {});
const isMap = (schema) => typesOf(schema).includes('object') && schema.additionalProperties && schema.additionalProperties !== true && !schema.properties;

function typesOf(schema) {
  if (schema.anyOf || schema.oneOf) return (schema.anyOf || schema.oneOf).flatMap((each) => typesOf(resolved(each)));
  return [schema.type || (schema.properties ? 'object' : 'string')].flat();
}

// The names that a field takes, if it takes names of the API.
function namesFor(field) {
  const {operations, errors, limits, resources} = state.description;
  const names = {
    operation: operations.map((each) => each.name), error: errors.map((each) => each.name), limit: limits.map((each) => each.name),
    resource: resources, account: state.accounts.map((each) => each.id), connected_account: state.accounts.map((each) => each.id)};
  return names[field];
}

function inputFor(name, schema, required) {
  const types = typesOf(schema);
  const select = (rows) => el('select', {}, !required && el('option', {value: ''}, '–'), rows.map(([value, label]) => el('option', {value}, label)));
  if (schema.enum) return select(schema.enum.filter((each) => each !== 'none').map((each) => [each, words(each)]));
  if (types.includes('boolean')) return select([['true', 'yes'], ['false', 'no']]);
  const names = namesFor(name);
  if (names && name !== 'account' && name !== 'connected_account') return select(names.map((each) => [each, each]));
  if (types.includes('object') || types.includes('array'))
    return el('textarea', {spellcheck: 'false', placeholder: isMap(schema) ? 'name: value, one per line' : 'JSON'});
  const input = el('input', {type: 'text', autocomplete: 'off', spellcheck: 'false',
    inputmode: types.includes('integer') && !types.includes('string') ? 'numeric' : null, placeholder: schema.default});
  if (names) {
    const choices = el('datalist', {id: `names-${name}`}, names.map((each) => el('option', {value: each})));
    input.setAttribute('list', choices.id);
    return [input, choices];
  }
  return input;
}

// The value of a field as the control API takes it. Throws an Error that names the problem.
function valueOf(text, schema) {
  const types = typesOf(schema);
  if (types.includes('boolean')) return text === 'true';
  const isNumber = types.includes('integer') || types.includes('number');
  if (isNumber && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  if (isNumber && !types.includes('string')) throw new Error('Enter a number.');
  if (!types.includes('object') && !types.includes('array')) return text;
  const value = parsedJson(text);
  if (value !== undefined) return value;
  if (types.includes('string') && !/^\s*[{["]/.test(text)) return text;
  if (isMap(schema) && !text.trim().startsWith('{')) return mapOf(text);
  throw new Error('Enter JSON.');
}

function mapOf(text) {
  const map = {};
  for (const line of text.split('\n').filter((each) => each.trim())) {
    const colon = line.indexOf(':');
    if (colon < 1) throw new Error('Enter “name: value” in each line.');
    map[line.slice(0, colon).trim()] = line.slice(colon + 1).trim();
  }
  return map;
}

let fieldNumber = 0;

function fieldOf(name, given, {required, place}) {
  const schema = resolved(given);
  const id = `field-${++fieldNumber}`;
  const made = [inputFor(name, schema, required)].flat();
  const [input] = made;
  const hint = el('p', {class: 'hint', id: `${id}-hint`}, ...proseOf(schema.description || ''));
  const problem = el('p', {class: 'problem', id: `${id}-problem`, hidden: true});
  fill(input, {id, name, required, 'aria-describedby': `${id}-hint ${id}-problem`}, []);
  const wide = input.tagName === 'TEXTAREA' ? ' wide' : '';
  return {
    name, place, input, schema,
    element: el('div', {class: `field${wide}`}, el('label', {for: id}, capitalized(words(name)), required ? ' (required)' : ''), made, hint, problem),
    fail(text) {
      input.setAttribute('aria-invalid', Boolean(text));
      problem.hidden = !text;
      problem.textContent = text;
      if (text && input.closest('details')) input.closest('details').open = true;
    },
    set(value) {
      input.value = value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
    },
  };
}

export function fieldsOf(described) {
  const parameters = (described.parameters || []).map((each) =>
    fieldOf(each.name, {description: each.description, ...resolved(each.schema)}, {required: each.in === 'path' || Boolean(each.required), place: each.in}));
  const content = described.requestBody && described.requestBody.content;
  const schema = content && resolved(Object.values(content)[0].schema);
  const required = (schema && schema.required) || [];
  const members = Object.entries((schema && schema.properties) || {}).map(([name, each]) =>
    fieldOf(name, each, {required: required.includes(name), place: 'body'}));
  const free = schema && !schema.properties ? [fieldOf('body', {type: 'object', description: schema.description}, {required: true, place: 'whole'})] : [];
  return [...parameters, ...members, ...free];
}

// Reads the fields. Returns nothing, and shows the problem, if one is invalid.
export function read(title, fields) {
  let [method, path] = title.split(' ');
  const query = new URLSearchParams();
  let body;
  let bad = null;
  for (const field of fields) {
    field.fail('');
    try {
      if (field.input.value === '') {
        if (field.input.required) throw new Error('Required.');
        continue;
      }
      const value = valueOf(field.input.value, field.schema);
      if (field.place === 'path') path = path.replace(`{${field.name}}`, encodeURIComponent(value));
      else if (field.place === 'query') query.set(field.name, value);
      else if (field.place === 'whole') body = value;
      else (body ??= {})[field.name] = value;
    } catch (problem) {
      field.fail(problem.message);
      bad ??= field;
    }
  }
  if (bad) bad.input.focus();
  if (!bad && method === 'POST') body ??= {};
  return bad ? null : {method, path: path + (query.size ? `?${query}` : ''), body};
}
