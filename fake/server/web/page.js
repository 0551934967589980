// The web page of tally-fake. All data come from the control API, and all text is shown as text: elements are made with
// el() and svg(), which only set text and attributes.
'use strict';

// ---------------------------------------------------------------------------------------------------------------------
// Elements

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
const byId = (id) => document.getElementById(id);
const button = (label, onclick, attributes) => el('button', {type: 'button', onclick, ...attributes}, label);

// Replaces the content of a container if its data have changed, and keeps the focus on the element with the same
// data-key.
const shownData = new WeakMap();

function renderIfChanged(container, data, build) {
  const text = JSON.stringify(data);
  if (shownData.get(container) === text) return;
  shownData.set(container, text);
  const open = new Set([...container.querySelectorAll('details[open][data-key]')].map((each) => each.dataset.key));
  const focused = container.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  container.replaceChildren(...[build()].flat());
  for (const each of container.querySelectorAll('details[data-key]')) if (open.has(each.dataset.key)) each.open = true;
  if (focused === undefined) return;
  const again = container.querySelector(`[data-key="${CSS.escape(focused)}"]`);
  if (again) again.focus({preventScroll: true});
}

const icons = {
  ok: 'M3 8.5l3.2 3.2L13 4.5',
  limited: 'M4 2h8M4 14h8M5 2c0 4 6 8 6 12M11 2c0 4-6 8-6 12',
  refused: 'M8 2a6 6 0 100 12A6 6 0 008 2M4 12L12 4',
  broken: 'M9 1.5L4 9h4l-1 5.5L12 7H8z',
  failed: 'M8 2L1.5 13.5h13zM8 6.5v3M8 11.5v.2',
};
const icon = (name) => svg('svg', {viewBox: '0 0 16 16', 'aria-hidden': 'true'}, svg('path', {d: icons[name]}));

function announce(text) {
  byId('announcer').textContent = text;
}

function toast(text, bad) {
  const shown = el('div', {class: bad ? 'toast bad' : 'toast'}, text);
  byId('toasts').append(shown);
  setTimeout(() => shown.remove(), bad ? 8000 : 4000);
}

// ---------------------------------------------------------------------------------------------------------------------
// Text

const plural = (count, word) => `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;
const words = (name) => String(name).replaceAll('_', ' ');
const capitalized = (text) => text.charAt(0).toUpperCase() + text.slice(1);
// May break behind dots, underscores and slashes.
const breakable = (name) => name.split(/(?<=[._/])/).flatMap((part) => [part, el('wbr')]);
const clockTime = (text) => text.slice(11, 23);
const moment = (text) => `${text.slice(0, 10)} ${text.slice(11, 23)} UTC`;

// The control API tells nanoseconds, which a Date would lose.
function millisecondsBetween(from, to) {
  const seconds = Date.parse(to.slice(0, 19) + 'Z') - Date.parse(from.slice(0, 19) + 'Z');
  return seconds + (Number(to.slice(20, 29)) - Number(from.slice(20, 29))) / 1e6;
}

function duration(milliseconds) {
  const units = [[86400e3, 'day'], [3600e3, 'h'], [60e3, 'min'], [1e3, 's']];
  for (const [size, unit] of units) {
    if (milliseconds < size) continue;
    const amount = Number((milliseconds / size).toFixed(milliseconds < 10 * size ? 1 : 0));
    return unit === 'day' ? plural(amount, unit) : `${amount} ${unit}`;
  }
  return milliseconds > 0 && milliseconds < 1 ? '< 1 ms' : `${Math.round(milliseconds)} ms`;
}

// Text in which names are in backticks.
const proseOf = (text) => text.split('`').map((part, i) => (i % 2 ? el('code', {}, part) : part));

function parsedJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const mask = '••••••';
const isSecretName = (name) => /^metadata(\[|$)/.test(name) || /(^|[_\-\[])(key|secret|token|authorization)\]?$/i.test(name);

// A copy in which metadata and keys are masked.
function masked(value) {
  const hide = (part) => (typeof part === 'object' && part !== null && !Array.isArray(part)
    ? Object.fromEntries(Object.keys(part).map((name) => [name, mask])) : part === null ? null : mask);
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, isSecretName(name) ? hide(part) : masked(part)]));
}

// ---------------------------------------------------------------------------------------------------------------------
// The control API

const state = {
  accounts: [],
  account: null,
  live: false,
  description: {operations: [], errors: [], limits: [], resources: []},
  machines: [],
  paths: {},
  schemas: {},
  clock: null,
  clockRead: 0,
  view: 'requests',
  faults: [],
};

const keyOf = (account) => (state.live ? account.live_key : account.sandbox_key);

const problemOf = (status, message) => Object.assign(new Error(message), {status});

async function call(method, path, body, account = state.account) {
  const headers = {};
  if (account) headers.Authorization = `Bearer ${keyOf(account)}`;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const response = await fetch(path, {method, headers, body: body === undefined ? undefined : JSON.stringify(body)});
  const answer = parsedJson(await response.text());
  if (!response.ok) {
    throw problemOf(response.status, answer && answer.error ? answer.error.message : `${method} ${path}: ${response.status}`);
  }
  return answer;
}

// The operation in the control API's own description; nothing if this server lacks it.
function operation(title) {
  const [method, path] = title.split(' ');
  const found = Object.entries(state.paths).find(([each]) => each.replace(/\{\w+\}/g, '{}') === path.replace(/\{\w*\}/g, '{}'));
  return found && found[1][method.toLowerCase()];
}

// Carries out an operation for a button, and reports the result.
async function perform(done, method, path, body, account = state.account) {
  try {
    const answer = await call(method, path, body, account);
    toast(done);
    await refresh();
    return answer;
  } catch (problem) {
    toast(problem.message, true);
    return undefined;
  }
}

function sure(question) {
  return window.confirm(question);
}

// ---------------------------------------------------------------------------------------------------------------------
// The log

// How requests end: the class of the colours, the icon, and words.
const outcomes = {
  ok: 'Succeeded',
  limited: 'Limit or lock',
  refused: 'Refused',
  failed: 'Server error',
  broken: 'No response',
};
const brokenFaults = new Set(['connection_refused', 'reset', 'response_lost', 'truncated_body', 'garbled_body']);

function outcomeOf(entry) {
  if (entry.status === 0 || brokenFaults.has(entry.fault)) return 'broken';
  if (entry.status < 400) return 'ok';
  if (entry.status >= 500) return 'failed';
  return entry.limit || entry.status === 429 || entry.error_code === 'lock_timeout' ? 'limited' : 'refused';
}

const hasFault = (entry) => entry.fault !== 'none' || Boolean(entry.fault_id);
const pathOf = (entry) => entry.url.replace(/^https?:\/\/[^/]*/, '').split('?')[0];
const nameOf = (entry) => entry.operation || `${entry.method} ${pathOf(entry)}`;
const statusOf = (entry) => (entry.status === 0 ? 'none' : String(entry.status));

function reasonsOf(entry) {
  const reasons = [];
  if (entry.limit) reasons.push(['limited', words(entry.limit)]);
  else if (entry.error_code) reasons.push([entry.outcome, words(entry.error_code)]);
  if (entry.fault !== 'none') reasons.push(['broken', words(entry.fault)]);
  else if (entry.fault_id) reasons.push(['broken', 'injected fault']);
  if (entry.attempt > 1) reasons.push(['soft', `attempt ${entry.attempt}`]);
  return reasons;
}

const log = {
  most: 50000,
  entries: [],      // oldest first
  shown: [],        // those that pass the filters
  byNumber: new Map(),
  latest: new Map(),  // the last request with the same content
  dropped: 0,
  choices: {operation: new Set(), account: new Set(), outcome: new Set()},  // what the filters offer
  selected: null,
  filters: {operation: '', outcome: '', account: '', text: ''},

  get last() {
    return this.entries.length ? this.entries[this.entries.length - 1].number : 0;
  },

  clear() {
    this.entries = [];
    this.shown = [];
    this.byNumber.clear();
    this.latest.clear();
    for (const names of Object.values(this.choices)) names.clear();
    this.dropped = 0;
  },

  add(entry) {
    if (this.byNumber.has(entry.number)) return false;
    entry.outcome = outcomeOf(entry);
    this.byNumber.set(entry.number, entry);
    this.entries.push(entry);
    this.choices.operation.add(entry.operation);
    this.choices.account.add(entry.account);
    this.choices.outcome.add(statusOf(entry));
    this.findAttempts(entry);
    if (this.passes(entry)) this.shown.push(entry);
    if (this.entries.length > this.most + this.most / 10) this.trim();
    return true;
  },

  // A request is a retry if the same request was not successful before.
  findAttempts(entry) {
    const content = `${entry.account} ${entry.livemode} ${entry.method} ${entry.url} ${entry.body}`;
    const earlier = this.latest.get(content);
    const isRetry = earlier && earlier.outcome !== 'ok';
    entry.earlier = isRetry ? earlier.number : null;
    entry.attempt = isRetry ? earlier.attempt + 1 : 1;
    if (isRetry) earlier.later = entry.number;
    this.latest.set(content, entry);
  },

  attemptsOf(entry) {
    const all = [entry];
    while (this.byNumber.has(all[0].earlier)) all.unshift(this.byNumber.get(all[0].earlier));
    while (this.byNumber.has(all[all.length - 1].later)) all.push(this.byNumber.get(all[all.length - 1].later));
    return all;
  },

  trim() {
    for (const entry of this.entries.splice(0, this.entries.length - this.most)) this.byNumber.delete(entry.number);
    this.filter();
  },

  passes(entry) {
    const {operation, outcome, account, text} = this.filters;
    if (operation && entry.operation !== operation) return false;
    if (account && entry.account !== account) return false;
    if (outcome === 'fault' ? !hasFault(entry) : outcome && outcome !== entry.outcome && outcome !== statusOf(entry))
      return false;
    if (!text) return true;
    entry.haystack ??= [entry.url, entry.body, entry.operation, entry.object, entry.status, entry.error_code, entry.limit,
      entry.fault, entry.request_id, ...(entry.params || []).map((param) => `${param.name}=${param.value}`)]
      .join('\n').toLowerCase();
    return entry.haystack.includes(text);
  },

  filter() {
    this.shown = this.entries.filter((entry) => this.passes(entry));
  },
};

// ---------------------------------------------------------------------------------------------------------------------
// The list of requests. Only the visible rows exist.

const list = {
  rows: new Map(),  // by number
  top: 0,

  get rowHeight() {
    return matchMedia('(max-width: 760px)').matches ? 56 : 38;
  },

  // `fresh` rows have been added at the top.
  draw(fresh = 0) {
    const frame = byId('list');
    const height = this.rowHeight;
    if (fresh && frame.scrollTop > height / 2) frame.scrollTop += fresh * height;
    const count = log.shown.length;
    byId('list-space').style.height = `${count * height}px`;
    const first = Math.max(0, Math.floor(frame.scrollTop / height) - 6);
    const end = Math.min(count, Math.ceil((frame.scrollTop + frame.clientHeight) / height) + 6);
    const wanted = new Map();
    for (let i = first; i < end; ++i) wanted.set(log.shown[count - 1 - i].number, i);
    for (const [number, row] of this.rows) {
      if (wanted.has(number)) continue;
      row.remove();
      this.rows.delete(number);
    }
    let next = null;
    for (const [number, position] of [...wanted].reverse()) {
      const row = this.place(log.byNumber.get(number), position, position < fresh);
      if (row.nextSibling !== next || !row.parentNode) byId('list-space').insertBefore(row, next);
      next = row;
    }
    frame.hidden = count === 0;
    frame.setAttribute('aria-activedescendant', this.rows.has(log.selected) ? `row-${log.selected}` : '');
    drawEmpty(count === 0);
  },

  place(entry, position, fresh) {
    let row = this.rows.get(entry.number);
    if (!row) {
      row = this.rowOf(entry);
      if (fresh) row.classList.add('fresh');
      this.rows.set(entry.number, row);
    }
    row.style.transform = `translateY(${position * this.rowHeight}px)`;
    row.setAttribute('aria-posinset', position + 1);
    row.setAttribute('aria-setsize', log.shown.length);
    row.setAttribute('aria-selected', entry.number === log.selected);
    return row;
  },

  rowOf(entry) {
    const reasons = reasonsOf(entry);
    return el('div', {class: 'row', role: 'option', id: `row-${entry.number}`, 'data-number': entry.number,
        'aria-label': `Request ${entry.number}, ${nameOf(entry)}, ${describe(entry)}`},
      badge(entry),
      el('span', {class: 'when'}, clockTime(entry.time)),
      el('span', {class: 'op'}, nameOf(entry)),
      el('span', {class: 'object'}, entry.object || ''),
      el('span', {class: 'why'}, reasons.map(([kind, text]) => el('span', {class: `chip ${kind}`}, text))));
  },

  select(number) {
    const position = log.shown.findIndex((entry) => entry.number === number);
    if (position >= 0) {
      const frame = byId('list');
      const top = (log.shown.length - 1 - position) * this.rowHeight;
      if (top < frame.scrollTop) frame.scrollTop = top;
      if (top + this.rowHeight > frame.scrollTop + frame.clientHeight)
        frame.scrollTop = top + this.rowHeight - frame.clientHeight;
    }
    this.draw();
  },

  // Moves the selection by so many rows.
  move(rows) {
    const count = log.shown.length;
    if (!count) return;
    const current = log.shown.findIndex((entry) => entry.number === log.selected);
    const position = current < 0 ? 0 : count - 1 - current + rows;
    const next = log.shown[count - 1 - Math.min(count - 1, Math.max(0, position))];
    go('requests', next.number);
  },

  redraw() {
    for (const row of this.rows.values()) row.remove();
    this.rows.clear();
    this.draw();
  },
};

function badge(entry) {
  return el('span', {class: `badge ${entry.outcome}`}, icon(entry.outcome), statusOf(entry));
}

// What became of a request, in words.
function describe(entry) {
  const parts = [entry.status === 0 ? 'no response' : `status ${entry.status}`, outcomes[entry.outcome].toLowerCase()];
  for (const [, text] of reasonsOf(entry)) parts.push(text);
  return parts.join(', ');
}

function drawEmpty(isEmpty) {
  const empty = byId('empty');
  empty.hidden = !isEmpty;
  if (!isEmpty) return;
  const example = state.account &&
    `curl -u ${keyOf(state.account).slice(0, 8)}…: ${location.origin}/v1/${(state.description.operations[0] || {path: ''}).path.split('/')[2] || ''}`;
  renderIfChanged(empty, [log.entries.length === 0, example], () => log.entries.length
    ? ['No request matches the filters. ', button('Remove the filters', resetFilters)]
    : ['No requests yet. They appear here as they arrive.', el('br'), el('code', {}, example || '')]);
}

function drawHead() {
  const all = log.entries.length;
  const shown = log.shown.length;
  const dropped = log.dropped ? `; the log has dropped ${log.dropped.toLocaleString('en')}` : '';
  byId('shown').textContent = shown === all ? plural(all, 'request') + dropped : `${shown.toLocaleString('en')} of ${plural(all, 'request')}${dropped}`;
  byId('count-requests').textContent = all || '';
}

// Bars of equal spans of the log, coloured by outcome.
function drawStrip() {
  const bars = 96;
  const entries = log.shown;
  const counts = Array.from({length: bars}, () => ({}));
  const per = Math.max(1, entries.length / bars);
  entries.forEach((entry, i) => {
    const bar = counts[Math.min(bars - 1, Math.floor(i / per))];
    bar[entry.outcome] = (bar[entry.outcome] || 0) + 1;
  });
  const totals = Object.fromEntries(Object.keys(outcomes).map((name) => [name, 0]));
  const rects = [];
  counts.forEach((bar, i) => {
    let bottom = 36;
    for (const name of Object.keys(outcomes)) {
      if (!bar[name]) continue;
      totals[name] += bar[name];
      const height = Math.max(3, bar[name] / per * 34);
      bottom -= height;
      rects.push(svg('rect', {class: name, x: i * 10 + 1, y: Math.max(0, bottom), width: 8, height, rx: 1.5}));
    }
  });
  const strip = byId('strip');
  strip.replaceChildren(svg('svg', {viewBox: `0 0 ${bars * 10} 36`, preserveAspectRatio: 'none', 'aria-hidden': 'true'}, rects));
  const parts = Object.entries(totals).filter(([, count]) => count).map(([name, count]) => `${outcomes[name]}: ${count}`);
  strip.setAttribute('aria-label', `Outcomes over time, oldest first. ${parts.join(', ') || 'No requests'}`);
  renderIfChanged(byId('legend'), parts, () => Object.entries(totals).filter(([, count]) => count).map(([name, count]) =>
    el('span', {class: name}, icon(name), `${outcomes[name]} ${count.toLocaleString('en')}`)));
}

function drawFilters() {
  const [operations, accounts, statuses] = ['operation', 'account', 'outcome'].map((name) => [...log.choices[name]].filter(Boolean).sort());
  const {operation, outcome, account} = log.filters;
  options(byId('filter-operation'), [['', 'All'], ...operations.map((name) => [name, name])], operation);
  options(byId('filter-account'), [['', 'All'], ...accounts.map((name) => [name, name])], account);
  options(byId('filter-outcome'), [['', 'All'], ...Object.entries(outcomes), ['fault', 'Hit by a fault'],
    ...statuses.map((status) => [status, status === 'none' ? 'No status' : `Status ${status}`])], outcome);
}

function options(select, rows, value) {
  renderIfChanged(select, rows, () => rows.map(([name, label]) => el('option', {value: name}, label)));
  select.value = value;
}

// What depends on all entries is drawn at most four times a second.
let summaryTimer = 0;

function drawSummary() {
  drawHead();
  if (summaryTimer) return;
  summaryTimer = setTimeout(() => {
    summaryTimer = 0;
    drawStrip();
    drawFilters();
  }, 250);
}

// Adds requests to the page.
function receive(entries, quiet) {
  const before = log.shown.length;
  const added = entries.filter((entry) => log.add(entry));
  if (!added.length) return;
  list.draw(quiet ? 0 : Math.max(0, log.shown.length - before));
  drawSummary();
  if (quiet) return;
  tell(added);
  const chain = log.selected !== null && log.byNumber.get(log.selected);
  if (chain && added.some((entry) => log.attemptsOf(chain).includes(entry))) drawDetail();
}

// Tells screen readers about new requests, at most once a second.
let untold = [];
let tellTimer = 0;

function tell(entries) {
  untold.push(...entries);
  if (tellTimer) return;
  tellTimer = setTimeout(() => {
    tellTimer = 0;
    const bad = untold.filter((entry) => entry.outcome !== 'ok').length;
    announce(untold.length === 1 ? `New request: ${nameOf(untold[0])}, ${describe(untold[0])}`
      : `${plural(untold.length, 'new request')}, ${bad} of them not successful`);
    untold = [];
  }, 1000);
}

// ---------------------------------------------------------------------------------------------------------------------
// One request

let revealed = new Set();

function explain(entry) {
  const told = entry.response && parsedJson(entry.response.body);
  const message = told && told.error && told.error.message;
  const effect = entry.processed ? ' It took effect.' : ' It changed nothing.';
  const because = [];
  if (entry.limit) because.push('The limit ', el('strong', {}, entry.limit), ' refused it.');
  else if (entry.error_code === 'lock_timeout') because.push('Its object was ', el('strong', {}, 'locked'), ' for longer than a request waits.');
  else if (entry.status >= 400) because.push('The service refused it: ', el('strong', {}, entry.error_code || entry.status), '.');
  else if (entry.status > 0) because.push('It succeeded.');
  else because.push('It got ', el('strong', {}, 'no response'), '.');
  if (hasFault(entry)) {
    because.push(` The injected fault${entry.fault_id ? ` ${entry.fault_id}` : ''} applied`);
    if (entry.fault !== 'none') because.push(': ', el('strong', {}, words(entry.fault)));
    because.push(entry.added_latency_ms ? `. It delayed the response by ${duration(entry.added_latency_ms)}.` : '.');
  }
  return el('div', {class: `why-box ${entry.outcome}`},
    el('p', {}, because, entry.method === 'GET' ? '' : effect),
    message ? el('p', {}, message) : null,
    el('div', {class: 'buttons'}, remedies(entry)));
}

// What a user may do about the outcome.
function remedies(entry) {
  const all = [];
  if (entry.limit) {
    all.push(button('Show the limit', () => go('limits'), {class: 'small'}));
    if (operation('POST /_fake/limits') && state.description.limits.some((limit) => limit.name === entry.limit))
      all.push(button('Change the limit…', () => openForm('POST /_fake/limits', limitPreset(entry.limit, entry)), {class: 'small'}));
  }
  if (entry.error_code === 'lock_timeout' || hasFault(entry))
    all.push(button('Show faults and holds', () => go('faults'), {class: 'small'}));
  return all;
}

function limitPreset(limit, of) {
  const scope = (state.description.limits.find((each) => each.name === limit) || {}).scope;
  return {limit, account: state.account.id, livemode: of.livemode, operation: scope === 'operation' ? of.operation : undefined};
}

function valueCell(name, value, isShown) {
  return isSecretName(name) && !isShown
    ? el('td', {class: 'value'}, el('span', {class: 'masked', 'aria-label': 'hidden'}, mask))
    : el('td', {class: 'value'}, value);
}

function pairs(title, rows, isShown) {
  if (!rows || !rows.length) return null;
  return [el('h3', {}, title), el('table', {},
    el('thead', {class: 'hidden'}, el('tr', {}, el('th', {scope: 'col'}, 'Name'), el('th', {scope: 'col'}, 'Value'))),
    el('tbody', {}, rows.map(({name, value}) => el('tr', {}, el('th', {scope: 'row'}, name), valueCell(name, value, isShown)))))];
}

function bodyText(text, isShown) {
  const value = parsedJson(text);
  if (value === undefined) return text;
  return JSON.stringify(isShown ? value : masked(value), null, 2);
}

// Parameters without the help of the server.
function paramsOf(entry) {
  if (entry.params) return entry.params;
  const read = (text) => [...new URLSearchParams(text)].map(([name, value]) => ({name, value}));
  return [...read(entry.url.split('?')[1] || ''), ...(parsedJson(entry.body) === undefined ? read(entry.body) : [])];
}

function attempts(entry) {
  const all = log.attemptsOf(entry);
  if (all.length < 2) return null;
  return [el('h3', {}, `Attempts of this request (${all.length})`), el('ol', {class: 'attempts'}, all.map((each) =>
    el('li', {}, badge(each), each === entry
      ? el('strong', {}, `Request ${each.number} (this one)`) : el('a', {href: hashOf('requests', each.number)}, `Request ${each.number}`),
    el('span', {class: 'hint'}, clockTime(each.time)))))];
}

function facts(entry) {
  const rows = [
    ['Request', `${entry.method} ${pathOf(entry)}`],
    ['Time', moment(entry.time)],
    ['Took', duration(millisecondsBetween(entry.time, entry.responded_at))],
    ['Status', `${statusOf(entry)} · ${outcomes[entry.outcome]}`],
    ['Account', entry.account && `${entry.account} · ${entry.livemode ? 'live' : 'sandbox'}`],
    ['Object', entry.object && el('a', {href: hashOf('objects', entry.object)}, entry.object)],
    ['Request-Id', entry.request_id],
  ];
  return el('dl', {class: 'facts'}, rows.filter(([, value]) => value).map(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]));
}

function drawDetail() {
  const entry = log.byNumber.get(log.selected);
  const detail = byId('detail');
  detail.hidden = !entry;
  document.querySelector('.split').classList.toggle('open', Boolean(entry));
  if (!entry) return;
  const isShown = revealed.has(entry.number);
  const reveal = button(isShown ? 'Hide keys and metadata' : 'Reveal keys and metadata', () => {
    revealed = new Set(isShown ? [] : [entry.number]);
    drawDetail();
    detail.querySelector('[data-key="reveal"]').focus();
  }, {'data-key': 'reveal', 'aria-pressed': isShown, class: 'small'});
  detail.replaceChildren(...[
    el('div', {class: 'detail-head'}, badge(entry),
      el('h2', {tabindex: -1, id: 'detail-title'}, breakable(nameOf(entry)), el('small', {}, `request ${entry.number} · ${clockTime(entry.time)}`)),
      button('Copy link', () => copy(location.href, 'Link copied'), {class: 'small'}),
      button('Close', closeDetail, {class: 'small', 'aria-label': 'Close the request'})),
    explain(entry),
    el('div', {class: 'buttons'}, reveal,
      entry.operation && operation('POST /_fake/faults') && button('Make the next one time out…',
        () => openForm('POST /_fake/faults', {operation: entry.operation}, 'Time out'), {class: 'small'}),
      entry.object && operation('POST /_fake/locks') && button('Hold its lock…',
        () => openForm('POST /_fake/locks', {object: entry.object}), {class: 'small'}),
      entry.operation && operation('POST /_fake/verify') && button('Verify such requests…',
        () => openForm('POST /_fake/verify', {operation: entry.operation, object: entry.object || undefined}), {class: 'small'})),
    el('h3', {}, 'Request'),
    facts(entry),
    attempts(entry),
    pairs('Parameters', paramsOf(entry), isShown),
    pairs('Request headers', entry.headers, isShown),
    isShown && entry.body ? [el('h3', {}, 'Request body, as sent'), el('pre', {tabindex: 0}, entry.body)] : null,
    entry.response ? [pairs('Response headers', entry.response.headers, isShown),
      entry.response.body ? [el('h3', {}, 'Response body'), el('pre', {tabindex: 0}, bodyText(entry.response.body, isShown))] : null] : null,
  ].flat(Infinity).filter(Boolean));
}

function closeDetail() {
  go('requests');
  byId('list').focus();
}

async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    toast(done);
  } catch {
    toast(text);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Limits

const windowOf = (name) => (state.description.limits.find((limit) => limit.name === name) || {}).window_seconds;

function rateText(line) {
  const seconds = windowOf(line.limit);
  if (seconds === undefined) return '';
  return seconds === 0 ? 'at the same time' : `per ${{1: 'second', 60: 'minute', 3600: 'hour', 86400: 'day'}[seconds] || duration(seconds * 1000)}`;
}

const until = (text, before, now) => el('time', {datetime: text, 'data-until': text, 'data-before': before, 'data-now': now || ''});

function gauge(line) {
  const name = [line.limit, line.operation, line.object].filter(Boolean).join(' of ');
  const off = line.allowed === null;
  const share = off || line.allowed === 0 ? (off ? 0 : 1) : Math.min(1, line.used / line.allowed);
  const level = off ? '' : share >= 1 ? 'full' : share >= 0.75 ? 'high' : '';
  const text = off ? `${line.used.toLocaleString('en')} used, no limit`
    : `${line.used.toLocaleString('en')} of ${line.allowed.toLocaleString('en')} used, ${line.remaining.toLocaleString('en')} left`;
  const bar = el('div', {});
  bar.style.width = `${share * 100}%`;
  const isSettable = state.description.limits.some((limit) => limit.name === line.limit);
  return el('div', {class: 'card'},
    el('div', {class: 'card-head'},
      el('h3', {}, words(line.limit), el('small', {}, [line.operation, line.object, rateText(line)].filter(Boolean).join(' · '))),
      level === 'full' ? el('span', {class: 'badge limited'}, icon('limited'), 'used up') : null,
      isSettable && button('Change…', () => openForm('POST /_fake/limits', {...limitPreset(line.limit, line), value: line.allowed ?? undefined}),
        {class: 'small', 'data-key': `change ${name}`, 'aria-label': `Change ${name}`})),
    el('div', {class: `gauge ${level}`, role: 'meter', 'aria-label': name, 'aria-valuemin': 0, 'aria-valuemax': off ? line.used : line.allowed,
      'aria-valuenow': Math.min(line.used, off ? line.used : line.allowed), 'aria-valuetext': text}, bar),
    el('p', {class: 'card-numbers'}, text),
    el('p', {class: 'hint'}, freeing(line)));
}

function freeing(line) {
  if (line.allowed === 0) return 'Refuses every request.';
  if (line.remaining === 0 && line.available_at) return until(line.available_at, 'The next request is admitted ', 'at once');
  if (line.remaining === 0) return 'Frees up when a unit is released.';
  if (line.frees_at) return until(line.frees_at, 'The next one frees up ', 'now');
  return line.used ? 'Frees up when a unit is released.' : 'Unused.';
}

async function loadLimits() {
  const [{usage}, allocation] = await Promise.all([
    call('GET', '/_fake/usage'), operation('GET /_fake/allocation') ? call('GET', '/_fake/allocation') : {allocation: []}]);
  const lines = usage.filter((line) => line.livemode === state.live);
  const isAccountWide = (line) => !line.operation && !line.object;
  const groups = [
    ['Of the account', lines.filter(isAccountWide)],
    ['Of an operation or an object, in use', lines.filter((line) => !isAccountWide(line) && line.used)],
  ];
  const unused = lines.filter((line) => !isAccountWide(line) && !line.used);
  renderIfChanged(byId('limits'), [lines, state.account.id], () => [
    ...groups.filter(([, all]) => all.length).map(([title, all]) => [el('h3', {class: 'section'}, title), el('div', {class: 'cards'}, all.map(gauge))]),
    unused.length ? el('details', {class: 'more', 'data-key': 'unused'},
      el('summary', {}, `Unused limits of an operation (${unused.length})`), el('div', {class: 'cards'}, unused.map(gauge))) : null,
  ].flat().filter(Boolean));
  const forecasts = allocation.allocation;
  renderIfChanged(byId('allocation'), forecasts.map(({limit, points}) => [limit, points.map(({used, allowed}) => [used, allowed])]),
    () => forecasts.map(allocationCard));
  drawUntil();
}

// The reads that count from now on, and how many are allowed.
function allocationCard({limit, points}) {
  const [width, height, left, bottom] = [560, 190, 52, 24];
  const most = Math.max(1, ...points.map((point) => Math.max(point.used, point.allowed)));
  const x = (i) => left + i / (points.length - 1) * (width - left - 8);
  const y = (value) => 8 + (1 - value / most) * (height - bottom - 8);
  const line = (value) => points.map((point, i) => `${i ? 'L' : 'M'}${x(i).toFixed(1)} ${y(value(point)).toFixed(1)}`).join('');
  const days = Math.round(millisecondsBetween(points[0].time, points[points.length - 1].time) / 86400e3);
  const ticks = [0, 1, 2, 3, 4, 5, 6].map((i) => i / 6 * (points.length - 1));
  const [now] = points;
  const summary = `${words(limit)}: ${now.used} of ${now.allowed} reads used now, ${Math.max(0, now.allowed - now.used)} left. ` +
    `Reads cease to count ${days} days after they were made.`;
  const rows = points.filter((_, i) => i % 20 === 0);
  return el('div', {class: 'card'},
    el('h3', {}, words(limit), el('small', {}, `the next ${days} days if nothing else happens`)),
    svg('svg', {class: 'chart', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': summary},
      [0, 0.5, 1].map((part) => [
        svg('line', {class: 'grid', x1: left, x2: width - 8, y1: y(most * part), y2: y(most * part)}),
        svg('text', {x: left - 6, y: y(most * part) + 4, 'text-anchor': 'end'}, Math.round(most * part).toLocaleString('en'))]),
      ticks.map((i) => svg('text', {x: x(i), y: height - 6, 'text-anchor': i ? (i === points.length - 1 ? 'end' : 'middle') : 'start'},
        points[Math.round(i)].time.slice(5, 10))),
      svg('path', {class: 'used', d: `${line((point) => point.used)}L${x(points.length - 1)} ${y(0)}L${x(0)} ${y(0)}Z`}),
      svg('path', {class: 'used-line', d: line((point) => point.used)}),
      svg('path', {class: 'allowed-line', d: line((point) => point.allowed)})),
    el('p', {}, `${now.used.toLocaleString('en')} of ${now.allowed.toLocaleString('en')} reads used. `,
      el('span', {class: 'hint'}, 'Solid: used. Dashed: allowed.')),
    el('details', {class: 'more', 'data-key': limit}, el('summary', {}, 'As a table'), el('table', {},
      el('thead', {}, el('tr', {}, ['Day', 'Used', 'Allowed'].map((title) => el('th', {scope: 'col'}, title)))),
      el('tbody', {}, rows.map((point) => el('tr', {}, el('td', {}, point.time.slice(0, 10)), el('td', {}, point.used.toLocaleString('en')),
        el('td', {}, point.allowed.toLocaleString('en'))))))));
}

// ---------------------------------------------------------------------------------------------------------------------
// Objects and the state machine

const chosen = {resource: '', state: '', text: '', object: null};

async function loadObjects() {
  const query = new URLSearchParams();
  for (const name of ['resource', 'state', 'text']) if (chosen[name]) query.set(name, chosen[name]);
  const listed = await call('GET', `/_fake/objects?${query}`);
  const object = chosen.object && (await call('GET', `/_fake/objects/${encodeURIComponent(chosen.object)}`).catch(() => null));
  const withObjects = [...new Set(listed.counts.filter((each) => each.count).map((each) => each.resource))];
  const total = (resource) => listed.counts.reduce((sum, each) => sum + (each.resource === resource ? each.count : 0), 0);
  options(byId('object-resource'), [['', 'All'], ...withObjects.map((name) => [name, `${words(name)} (${total(name)})`])], chosen.resource);
  const machine = state.machines.find((each) => each.resource === (chosen.resource || (object && object.resource))) ||
    state.machines.find((each) => total(each.resource)) || state.machines[0];
  options(byId('object-state'), [['', 'All'], ...(machine ? machine.states : []).map((name) => [name, words(name)])], chosen.state);
  renderIfChanged(byId('machine'), [machine, listed.counts, chosen.state, object && object.state], () =>
    machine ? machineCard(machine, listed.counts, object) : []);
  renderIfChanged(byId('objects'), [listed, object, state.account.id], () => objectTable(listed, object));
}

function setChosen(change) {
  Object.assign(chosen, change);
  if ('resource' in change && !('state' in change)) chosen.state = '';
  refresh();
}

function objectTable(listed, shown) {
  if (!listed.objects.length)
    return el('div', {class: 'table-frame'}, el('p', {class: 'empty'}, 'No object matches. Insert some, or create them with requests.'));
  const row = (object) => el('tr', {'aria-current': shown && shown.id === object.id ? 'true' : null},
    el('td', {class: 'id'}, object.id),
    el('td', {}, words(object.resource)),
    el('td', {}, object.state ? words(object.state) : '–'),
    el('td', {class: 'when'}, object.created.slice(0, 19).replace('T', ' ')),
    el('td', {class: 'actions'},
      button(shown && shown.id === object.id ? 'Hide' : 'Show', () => go('objects', shown && shown.id === object.id ? null : object.id),
        {class: 'small', 'data-key': `show ${object.id}`, 'aria-label': `Show ${object.id}`}), ' ',
      button('Lock…', () => openForm('POST /_fake/locks', {object: object.id}),
        {class: 'small', 'data-key': `lock ${object.id}`, 'aria-label': `Lock ${object.id}`})));
  const rows = listed.objects.map(row);
  if (shown) {
    const content = el('tr', {}, el('td', {colspan: 5}, objectContent(shown)));
    const place = listed.objects.findIndex((object) => object.id === shown.id);
    rows.splice(place + 1, 0, content);
  }
  return el('div', {class: 'table-frame'}, el('table', {},
    el('thead', {}, el('tr', {}, ['Identifier', 'Resource', 'State', 'Created', 'Actions'].map((title, i) =>
      el('th', {scope: 'col'}, i === 4 ? el('span', {class: 'hidden'}, title) : title)))),
    el('tbody', {}, rows)),
  listed.has_more ? el('p', {class: 'hint'}, 'The first 100 are shown. Filter to see others.') : null);
}

function objectContent(object) {
  const pre = el('pre', {tabindex: 0, 'aria-label': `Content of ${object.id}`}, JSON.stringify(masked(object.object), null, 2));
  const reveal = button('Reveal metadata', () => {
    pre.textContent = JSON.stringify(object.object, null, 2);
    reveal.remove();
    pre.focus();
  }, {class: 'small', 'data-key': 'reveal'});
  return [pre, el('p', {class: 'buttons'}, reveal,
    button('Its requests', () => {
      resetFilters();
      byId('filter-text').value = object.id;
      filterText();
      go('requests');
    }, {class: 'small'}))];
}

// Columns from the initial state to those that nothing leaves.
function layersOf(machine) {
  const depth = new Map([[machine.initial, 0]]);
  const moves = machine.transitions.flatMap(({from, to}) => from.filter((each) => each !== to).map((each) => [each, to]));
  for (let round = 0; round < machine.states.length; ++round)
    for (const [from, to] of moves) if (depth.has(from) && !depth.has(to)) depth.set(to, depth.get(from) + 1);
  const last = Math.max(...depth.values());
  const isFinal = (name) => !moves.some(([from]) => from === name);
  for (const name of machine.states) {
    if (!depth.has(name)) depth.set(name, last);
    else if (isFinal(name) && name !== machine.initial) depth.set(name, last + 1);
  }
  const layers = [];
  for (const name of machine.states) (layers[depth.get(name)] ??= []).push(name);
  return layers.filter(Boolean);
}

function machineCard(machine, counts, object) {
  const layers = layersOf(machine);
  const [stepX, stepY, boxWidth, boxHeight] = [430, 130, 150, 56];
  const tallest = Math.max(...layers.map((layer) => layer.length));
  const height = Math.max(210, tallest * stepY + 60);
  const width = (layers.length - 1) * stepX + boxWidth + 110;
  const places = new Map();
  layers.forEach((layer, column) => layer.forEach((name, row) => places.set(name,
    {column, row, x: 60 + column * stepX, y: height / 2 + (row - (layer.length - 1) / 2) * stepY - boxHeight / 2})));
  const edges = new Map();
  for (const {operation: name, from, to} of machine.transitions)
    for (const each of from) {
      const key = `${each} ${to}`;
      if (!edges.has(key)) edges.set(key, {from: each, to, names: []});
      edges.get(key).names.push(name.split('.').pop());
    }
  const count = (name) => (counts.find((each) => each.resource === machine.resource && each.state === name) || {count: 0}).count;
  const box = (name) => {
    const {x, y} = places.get(name);
    const isHere = object && object.resource === machine.resource && object.state === name;
    const choose = () => setChosen({resource: machine.resource, state: chosen.state === name ? '' : name});
    const middle = x + boxWidth / 2;
    return svg('g', {class: 'state', role: 'button', tabindex: 0, 'data-key': `state ${name}`, 'aria-pressed': chosen.state === name || Boolean(isHere),
      'aria-label': `${words(name)}: ${plural(count(name), 'object')}${name === machine.initial ? ', initial state' : ''}${isHere ? `, state of ${object.id}` : ''}. Show only these.`,
      onclick: choose, onkeydown: (event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        choose();
      }},
    svg('rect', {x, y, width: boxWidth, height: boxHeight, rx: 12}),
    svg('text', {x: middle, y: y + 24}, words(name)),
    svg('text', {class: 'number', x: middle, y: y + 43}, plural(count(name), 'object') + (isHere ? ' · this one' : '')));
  };
  const initial = places.get(machine.initial);
  const startY = initial.y + boxHeight / 2;
  const drawing = svg('svg', {class: 'machine', viewBox: `0 0 ${width} ${height}`, role: 'group', 'aria-label': `States of a ${words(machine.resource)}`},
    svg('defs', {}, svg('marker', {id: 'arrow', viewBox: '0 0 10 10', refX: 9, refY: 5, markerWidth: 7, markerHeight: 7, orient: 'auto-start-reverse'},
      svg('path', {d: 'M0 0L10 5L0 10z'}))),
    svg('circle', {class: 'start', cx: 16, cy: startY, r: 6}),
    svg('path', {class: 'edge', d: `M22 ${startY}H${initial.x - 2}`, 'marker-end': 'url(#arrow)'}),
    [...edges.values()].map((edge) => edgeOf(edge, places.get(edge.from), places.get(edge.to), boxWidth, boxHeight)),
    machine.states.map(box));
  const move = (from, operationName, what) => el('tr', {}, el('td', {}, from.map(words).join(', ')), el('td', {class: 'id'}, operationName), el('td', {}, what));
  return el('div', {class: 'machine-frame'},
    el('h3', {}, `States of a ${words(machine.resource)}`),
    drawing,
    el('details', {class: 'more', 'data-key': 'moves'}, el('summary', {}, 'Transitions and refusals as a table'), el('table', {},
      el('thead', {}, el('tr', {}, ['In the state', 'Operation', 'Result'].map((title) => el('th', {scope: 'col'}, title)))),
      el('tbody', {},
        machine.transitions.map(({from, operation: name, to}) => move(from, name, `becomes ${words(to)}`)),
        machine.refusals.map(({from, operation: name, error}) => move(from, name, `refused: ${error}`))))));
}

function edgeOf({from, to, names}, a, b, boxWidth, boxHeight) {
  const label = (x, y, anchor) => names.map((name, i) =>
    svg('text', {class: 'edge-label', x, y: y + (i - (names.length - 1) / 2) * 14 + 4, 'text-anchor': anchor}, name));
  const path = (d) => svg('path', {class: 'edge', d, 'marker-end': 'url(#arrow)'});
  const middle = a.x + boxWidth / 2;
  if (from === to) {
    const up = a.row === 0 ? -1 : 1;
    const y = up < 0 ? a.y : a.y + boxHeight;
    return [path(`M${middle - 26} ${y}C${middle - 30} ${y + up * 34} ${middle + 30} ${y + up * 34} ${middle + 26} ${y + up * 2}`), label(middle, y + up * 34, 'middle')];
  }
  if (a.column === b.column) {
    const down = b.row > a.row;
    const x = middle + (down ? -30 : 30);
    const [y1, y2] = down ? [a.y + boxHeight, b.y - 2] : [a.y, b.y + boxHeight + 2];
    return [path(`M${x} ${y1}V${y2}`), label(x + (down ? -6 : 6), (y1 + y2) / 2 + (down ? -23 : 23), down ? 'end' : 'start')];
  }
  const forward = b.column > a.column;
  const [x1, x2] = forward ? [a.x + boxWidth, b.x - 2] : [a.x, b.x + boxWidth + 2];
  const offset = forward ? 0 : 16;
  const [y1, y2] = [a.y + boxHeight / 2 + offset, b.y + boxHeight / 2 + offset];
  const bend = (x2 - x1) / 2;
  const share = Math.abs(b.column - a.column) > 1 ? 0.14 : 0.5;
  const at = (p0, p1, p2, p3) => (1 - share) ** 3 * p0 + 3 * (1 - share) ** 2 * share * p1 + 3 * (1 - share) * share ** 2 * p2 + share ** 3 * p3;
  return [path(`M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`),
    label(at(x1, x1 + bend, x2 - bend, x2), at(y1, y1, y2, y2), 'middle')];
}

// ---------------------------------------------------------------------------------------------------------------------
// Faults, holds, accounts, snapshots

function table(titles, rows, empty) {
  if (!rows.length) return el('div', {class: 'table-frame'}, el('p', {class: 'empty'}, empty));
  return el('div', {class: 'table-frame'}, el('table', {},
    el('thead', {}, el('tr', {}, titles.map((title) => el('th', {scope: 'col'}, title || el('span', {class: 'hidden'}, 'Actions'))))),
    el('tbody', {}, rows.map((cells) => el('tr', {}, cells.map((cell, i) => el('td', {class: titles[i] ? null : 'actions'}, cell)))))));
}

// The names in an object by name, or, as names may repeat, in an array. A name that is no text is in base64.
function namesIn(named) {
  if (!Array.isArray(named)) return Object.keys(named || {});
  return [...new Set(named.map(({name}) => (typeof name === 'string' ? name : `base64 ${name.base64}`)))];
}

// What a fault does, in words.
function effectOf(fault) {
  const parts = [];
  if (fault.fault && fault.fault !== 'none') parts.push(words(fault.fault));
  if (fault.error) parts.push(`error ${fault.error}`);
  if (fault.response) parts.push(`response ${fault.response.status}`);
  if (fault.latency_sigma) parts.push(`latency around ${duration(fault.latency_ms)}`);
  else if (fault.latency_up_to_ms > fault.latency_ms) parts.push(`latency from ${duration(fault.latency_ms)} to ${duration(fault.latency_up_to_ms)}`);
  else if (fault.latency_ms) parts.push(`${duration(fault.latency_ms)} later`);
  if (fault.chunks > 1) parts.push(`the body in ${fault.chunks} parts`);
  const headers = namesIn(fault.headers);
  if (headers.length) parts.push(`headers ${headers.join(', ')}`);
  return parts.join(', ') || 'nothing';
}

function aimOf(fault) {
  const conditions = ['params', 'metadata', 'request_headers'].flatMap((part) => namesIn(fault[part]).map((name) => `${words(part)} ${name}`));
  if (fault.every > 1) conditions.push(`every ${fault.every}th`);
  if (fault.probability !== undefined && fault.probability < 1) conditions.push(`with probability ${fault.probability}`);
  return [fault.operation || 'any operation', fault.object, ...conditions].filter(Boolean).join(' · ');
}

function faultRow(fault) {
  const isOpen = fault.times !== 0;
  const status = [fault.hits === undefined ? null : `hit ${fault.hits}×`, fault.times === 'unlimited' ? 'until removed' : `${fault.times} left`];
  return [fault.id === undefined ? '–' : String(fault.id), aimOf(fault), effectOf(fault),
    [el('span', {class: `badge ${fault.hits ? 'broken' : 'limited'}`}, icon(fault.hits ? 'broken' : 'limited'), fault.hits ? (isOpen ? 'hit, armed' : 'hit') : 'armed'),
      ' ', status.filter(Boolean).join(', ')],
    fault.id === undefined || !operation('DELETE /_fake/faults/{id}') ? null
      : button('Remove', () => perform('Fault removed', 'DELETE', `/_fake/faults/${fault.id}`),
        {class: 'small', 'data-key': `remove fault ${fault.id}`, 'aria-label': `Remove fault ${fault.id}`})];
}

async function loadFaults() {
  const [{faults}, {holds}] = await Promise.all([
    call('GET', '/_fake/faults'), operation('GET /_fake/holds') ? call('GET', '/_fake/holds') : {holds: []}]);
  showFaults(faults);
  renderIfChanged(byId('faults'), faults, () => table(['Fault', 'Requests', 'Effect', 'Status', ''], faults.map(faultRow), 'No fault is armed.'));
  const hits = log.entries.filter(hasFault).slice(-20).reverse();
  renderIfChanged(byId('hits'), hits.map((entry) => entry.number), () => table(['Fault', 'Request', 'Effect', 'Outcome'], hits.map((entry) => [
    entry.fault_id ? String(entry.fault_id) : '–',
    el('a', {href: hashOf('requests', entry.number)}, `Request ${entry.number}, ${nameOf(entry)}`),
    entry.fault === 'none' ? (entry.added_latency_ms ? `${duration(entry.added_latency_ms)} later` : 'its response') : words(entry.fault),
    badge(entry)]), 'No fault has hit a request that the log has.'));
  renderIfChanged(byId('holds'), holds, () => table(['Hold', 'What', 'Account', 'End', ''], holds.map((hold) => [
    String(hold.hold),
    hold.object ? `lock of ${hold.object}` : `${plural(hold.units, 'unit')} of ${hold.operation || 'the limits on all operations'}`,
    `${hold.account} · ${hold.livemode ? 'live' : 'sandbox'}`,
    hold.until ? until(hold.until, 'ends ', 'now') : 'until it is released',
    button('Release', () => perform('Released', 'DELETE', `/_fake/holds/${hold.hold}`),
      {class: 'small', 'data-key': `release ${hold.hold}`, 'aria-label': `Release hold ${hold.hold}`})]), 'Nothing is held.'));
  drawUntil();
}

function showFaults(faults) {
  state.faults = faults;
  byId('count-faults').textContent = faults.length || '';
}

function secretCell(text) {
  const shown = el('code', {}, `${text.slice(0, 8)}${mask}`);
  const reveal = button('Reveal', () => {
    shown.textContent = text;
    reveal.remove();
  }, {class: 'plain small', 'aria-label': 'Reveal the key'});
  return [shown, ' ', reveal, button('Copy', () => copy(text, 'Key copied'), {class: 'plain small', 'aria-label': 'Copy the key'})];
}

async function loadService() {
  await loadAccounts();
  const {accounts} = state;
  if (!accounts.some(isShown)) await chooseFirst();
  renderIfChanged(byId('accounts'), [accounts, state.account], () => table(['Account', 'Sandbox key', 'Live key', ''], accounts.map((account) => [
    [el('span', {class: 'mono'}, account.id), isShown(account) ? [' ', el('span', {class: 'tag'}, 'shown')] : null],
    secretCell(account.sandbox_key), secretCell(account.live_key),
    [isShown(account) ? null : button('Show', () => choose(account, state.live), {class: 'small', 'data-key': `show ${account.id}`, 'aria-label': `Show ${account.id}`}), ' ',
      operation('DELETE /_fake/accounts/{id}') && button('Delete', () => removeAccount(account),
        {class: 'small danger', 'data-key': `delete ${account.id}`, 'aria-label': `Delete ${account.id}`})]]), 'No account yet. Create one.'));
  const {snapshots} = state.account && operation('GET /_fake/snapshots') ? await call('GET', '/_fake/snapshots') : {snapshots: []};
  renderIfChanged(byId('snapshots'), snapshots, () => table(['Snapshot', ''], snapshots.map((snapshot) => {
    const number = typeof snapshot === 'object' ? snapshot.snapshot ?? snapshot.id : snapshot;
    return [`Snapshot ${number}`, [
      button('Restore', () => perform(`Snapshot ${number} restored`, 'POST', `/_fake/snapshots/${number}/restore`),
        {class: 'small', 'data-key': `restore ${number}`, 'aria-label': `Restore snapshot ${number}`}), ' ',
      operation('DELETE /_fake/snapshots/{snapshot}') && button('Delete', () => perform(`Snapshot ${number} deleted`, 'DELETE', `/_fake/snapshots/${number}`),
        {class: 'small danger', 'data-key': `delete ${number}`, 'aria-label': `Delete snapshot ${number}`})]];
  }), 'No snapshot yet.'));
}

async function removeAccount(account) {
  if (!sure(`Delete ${account.id} and everything in it?`)) return;
  await perform('Account deleted', 'DELETE', `/_fake/accounts/${account.id}`, undefined, account);
}

// One card for each operation that the control API offers, whatever this page knows about it.
function drawOperations() {
  const groups = new Map();
  for (const [path, methods] of Object.entries(state.paths))
    for (const [method, described] of Object.entries(methods)) {
      const title = `${method.toUpperCase()} ${path}`;
      const group = path.split('/')[2] || 'page';
      if (!groups.has(group)) groups.set(group, []);
      groups.get(group).push([title, described]);
    }
  byId('operations').replaceChildren(...[...groups].map(([group, all]) => el('div', {class: 'card'}, el('h3', {}, words(group)),
    el('ul', {class: 'buttons'}, all.map(([title, described]) => el('li', {},
      button(`${described.summary}…`, () => openForm(title), {class: 'small', title})))))));
}

// ---------------------------------------------------------------------------------------------------------------------
// Forms, from the schemas of the control API

// The most common uses of an operation.
const presets = {
  'POST /_fake/faults': [
    ['Time out', {latency_ms: 120000}, 'The response comes two minutes late; clients give up before.'],
    ['Lose the response', {fault: 'response_lost'}, 'The request is processed, then the connection breaks.'],
    ['Break the connection', {fault: 'reset'}, 'The connection breaks before the request is processed.'],
    ['Server error, nothing done', {error: 'api_error'}, 'A 500; the request is not processed.'],
    ['Server error after the change', {fault: 'error_after_processing'}, 'A 5xx, although the request took effect.'],
    ['Rate limit', {error: 'rate_limit'}, 'A 429, as if a limit were used up.'],
    ['Lock timeout', {error: 'lock_timeout'}, 'A 429, as if another request held the object.'],
    ['Slow', {latency_ms: 2000}, 'The response comes two seconds late.'],
    ['Truncate the body', {fault: 'truncated_body'}, 'The response ends too early.'],
  ],
};

// Fields that are shown at once; the others are under “More”.
const mainFields = {
  'POST /_fake/faults': ['operation', 'object', 'fault', 'error', 'latency_ms', 'times'],
  'POST /_fake/verify': ['operation', 'object', 'status', 'exactly', 'at_least', 'at_most', 'params', 'metadata'],
  'POST /_fake/limits': ['limit', 'value', 'operation', 'account'],
};

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

function fieldsOf(described) {
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
function read(title, fields) {
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

function openForm(title, values, presetName) {
  const described = operation(title);
  if (!described) return;
  const fields = fieldsOf(described);
  const main = mainFields[title];
  const isMain = (field) => !main || main.includes(field.name) || field.input.required;
  const first = main ? fields.filter(isMain).sort((a, b) => main.indexOf(a.name) - main.indexOf(b.name)) : fields;
  const rest = fields.filter((field) => !isMain(field));
  const outcome = el('div', {class: 'outcome', role: 'status'});
  const dialog = byId('dialog');
  const opener = document.activeElement;
  const choices = (presets[title] || []).map(([name, preset, effect]) => button(name, (event) => {
    const touched = new Set(presets[title].flatMap(([, each]) => Object.keys(each)));
    for (const field of fields) if (touched.has(field.name)) field.set(preset[field.name]);
    for (const each of choices) each.setAttribute('aria-pressed', each === event.currentTarget);
    outcome.replaceChildren(el('p', {class: 'hint'}, effect, preset.latency_ms && state.clock && !state.clock.running
      ? ' The clock of this account is manual, so the latency passes at once; to break the connection, choose “Lose the response”.' : ''));
  }, {'aria-pressed': 'false', title: effect}));
  const form = el('form', {novalidate: true, method: 'dialog'},
    el('div', {class: 'card-head'}, el('h2', {id: 'dialog-title'}, described.summary),
      button('Close', () => dialog.close(), {class: 'small', 'aria-label': 'Close the dialog'})),
    described.description ? el('p', {class: 'description'}, ...proseOf(described.description)) : null,
    choices.length ? el('div', {class: 'presets', role: 'group', 'aria-label': 'Presets'}, choices) : null,
    first.length ? el('div', {class: 'fields'}, first.map((field) => field.element)) : null,
    rest.length ? el('details', {}, el('summary', {}, `More (${rest.length})`), el('div', {class: 'fields'}, rest.map((field) => field.element))) : null,
    outcome,
    el('div', {class: 'foot'}, el('code', {class: 'hint'}, title), el('button', {type: 'submit', class: 'main'}, title.startsWith('GET') ? 'Show' : 'Send')));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const sent = read(title, fields);
    if (!sent) return;
    try {
      showOutcome(outcome, dialog, described, await call(sent.method, sent.path, sent.body));
      refresh();
    } catch (problem) {
      // The control API names the place of a problem before a colon.
      const field = fields.find((each) => problem.message.startsWith(`${each.name}:`));
      if (field) field.fail(problem.message);
      outcome.replaceChildren(el('p', {class: 'problem'}, problem.message));
      if (field) field.input.focus();
    }
  });
  dialog.replaceChildren(form);
  for (const field of fields) if (values && values[field.name] !== undefined) field.set(values[field.name]);
  const preset = choices.find((each) => each.textContent === presetName);
  dialog.addEventListener('close', () => {
    // The button may have been drawn again meanwhile.
    const back = opener.isConnected ? opener : document.querySelector(`main [data-key="${CSS.escape(opener.dataset.key)}"]`);
    if (back) back.focus();
  }, {once: true});
  dialog.showModal();
  if (preset) preset.click();
  if (first.length) (first.find((field) => !field.input.value) || first[0]).input.focus();
}

function showOutcome(outcome, dialog, described, answer) {
  const isEmpty = !answer || !Object.keys(answer).length;
  const isSmall = isEmpty || ['id', 'hold', 'now', 'snapshot'].some((name) => Object.keys(answer)[0] === name && name !== 'id') ||
    (Object.keys(answer).length === 1 && 'id' in answer);
  if (isSmall) {
    dialog.close();
    toast(`Done: ${described.summary}`);
    return;
  }
  if ('near_misses' in answer) outcome.replaceChildren(...verification(answer));
  else {
    const text = JSON.stringify(answer, null, 2);
    outcome.replaceChildren(el('p', {}, `Done: ${described.summary}`), el('pre', {tabindex: 0}, text),
      el('p', {class: 'buttons'}, button('Copy', () => copy(text, 'Copied'), {class: 'small'})));
  }
  outcome.scrollIntoView({block: 'nearest'});
}

// The result of a verification: the verdict, links to the requests that match, and what differs in the near misses.
function verification(answer) {
  const link = (number) => el('a', {href: hashOf('requests', number), onclick: () => byId('dialog').close()}, `request ${number}`);
  const misses = answer.near_misses.map((miss) => el('div', {class: 'card'},
    el('p', {}, 'Almost: ', link(miss.request.number), ` · ${miss.request.operation || miss.request.url}`),
    el('table', {}, el('thead', {}, el('tr', {}, ['Part', 'Expected', 'Actual'].map((title) => el('th', {scope: 'col'}, title)))),
      el('tbody', {}, miss.differences.map((each) => el('tr', {}, el('th', {scope: 'row'}, each.part), el('td', {}, each.expected), el('td', {}, each.actual)))))));
  const numbers = answer.requests || [];
  const verdict = answer.ok ? 'As expected' : answer.decided === false ? 'Unknown' : 'Not as expected';
  const lacks = [answer.dropped && plural(answer.dropped, 'request'), answer.unknown && `the responses of ${plural(answer.unknown, 'request')}`];
  return [
    el('p', {}, el('span', {class: `badge ${answer.ok ? 'ok' : 'failed'}`}, icon(answer.ok ? 'ok' : 'failed'), verdict),
      ` ${plural(answer.matched, 'request')} ${answer.matched === 1 ? 'matches' : 'match'}.`),
    answer.decided === false ? el('p', {}, `The log lacks ${lacks.filter(Boolean).join(' and ')}, which may match.`) : null,
    numbers.length ? el('p', {}, numbers.slice(-20).map((number, i) => [i ? ', ' : '', link(number)])) : null,
    ...misses,
  ].filter(Boolean);
}

// ---------------------------------------------------------------------------------------------------------------------
// The clock

async function loadClock() {
  state.clock = await call('GET', '/_fake/clock');
  state.clockRead = performance.now();
  const tag = byId('clock-state');
  tag.textContent = state.clock.frozen ? 'frozen' : state.clock.running ? 'real time' : 'manual';
  tag.classList.toggle('warn', state.clock.frozen);
  byId('freeze').textContent = state.clock.frozen ? 'Thaw' : 'Freeze';
  drawClock();
}

// The time of the service, in milliseconds since 1970.
function serviceTime() {
  const read = Date.parse(state.clock.now.slice(0, 23) + 'Z');
  return state.clock.running && !state.clock.frozen ? read + performance.now() - state.clockRead : read;
}

function drawClock() {
  if (!state.clock) return;
  const text = new Date(serviceTime()).toISOString();
  const now = byId('now');
  now.textContent = `${text.slice(0, 10)} ${text.slice(11, 19)} UTC`;
  now.setAttribute('datetime', text);
}

function drawUntil() {
  if (!state.clock) return;
  for (const each of document.querySelectorAll('time[data-until]')) {
    const left = Date.parse(each.dataset.until.slice(0, 23) + 'Z') - serviceTime();
    const day = each.dataset.until.slice(0, 10) === new Date(serviceTime()).toISOString().slice(0, 10) ? '' : each.dataset.until.slice(0, 10) + ' ';
    const text = left > 0 ? `in ${duration(left)} (${day}${each.dataset.until.slice(11, 19)})` : each.dataset.now;
    each.textContent = each.dataset.before + text;
  }
}

async function advance(milliseconds) {
  if (await perform(`The clock is ${duration(milliseconds)} later`, 'POST', '/_fake/clock/advance', {milliseconds})) await loadClock();
}

// ---------------------------------------------------------------------------------------------------------------------
// Updates: a stream of events if the server has one, else polling

const loaders = {requests: async () => {}, limits: loadLimits, objects: loadObjects, faults: loadFaults, service: loadService};
const unknownKey = 401;
let loading = null;
let again = false;

// Loads the visible view. Calls during a load cause one more.
async function refresh() {
  if (loading) {
    again = true;
    return loading;
  }
  loading = (async () => {
    try {
      if (state.account || state.view === 'service') await loaders[state.view]();
      if (state.view !== 'faults' && state.account) showFaults((await call('GET', '/_fake/faults')).faults);
    } catch (problem) {
      if (problem.status === unknownKey) await chooseFirst();
      else if (problem.status) toast(problem.message, true);
    }
  })();
  await loading;
  loading = null;
  if (again) {
    again = false;
    await refresh();
  }
}

// Gets the requests after the last one. Includes the last one, to notice that the log was cleared or restored.
async function syncLog() {
  const first = log.last;
  const found = await call('GET', `/_fake/requests?starting_after=${Math.max(0, first - 1)}&limit=2000`);
  const known = log.byNumber.get(first);
  if (known && (!found.requests.length || found.requests[0].number !== first || found.requests[0].time !== known.time)) return loadLog();
  log.dropped = found.dropped;
  receive(found.requests);
  if (found.has_more) await syncLog();
}

async function loadLog() {
  log.clear();
  list.redraw();
  for (let more = true; more;) {
    const found = await call('GET', `/_fake/requests?starting_after=${log.last}&limit=2000`);
    log.dropped = found.dropped;
    receive(found.requests, true);
    more = found.has_more;
  }
  drawHead();
  drawStrip();
  drawFilters();
  drawDetail();
  requestAnimationFrame(() => performance.mark('log shown'));
}

function linkState(kind, text) {
  const shown = byId('link-state');
  shown.className = `link-state ${kind}`;
  if (shown.textContent !== text) shown.textContent = text;
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
let listening = new AbortController();

async function listen() {
  listening.abort();
  const mine = (listening = new AbortController());
  let streams = Boolean(operation('GET /_fake/events'));
  while (!mine.signal.aborted) {
    try {
      if (streams) streams = await stream(mine.signal);
      else await poll();
    } catch (problem) {
      if (mine.signal.aborted) return;
      linkState('lost', problem.status ? problem.message : 'Disconnected');
      if (problem.status === unknownKey) await chooseFirst().catch(() => {});
    }
    await pause(1000);
  }
}

async function poll() {
  await syncLog();
  await loadClock();
  await refresh();
  linkState('live', 'Polling');
}

// Reads events until the connection ends. Returns false if the server has no stream.
async function stream(signal) {
  const response = await fetch(`/_fake/events?after=${log.last}`, {signal, headers: {Authorization: `Bearer ${keyOf(state.account)}`}});
  if (response.status === unknownKey) throw problemOf(response.status, 'The account is gone');
  if (!response.ok) return false;
  linkState('live', 'Live');
  await Promise.all([syncLog(), loadClock(), refresh()]);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = '';;) {
    const {done, value} = await reader.read();
    if (done) return true;
    const parts = (rest + value).split(/\r?\n\r?\n/);
    rest = parts.pop();
    handleEvents(parts.map(eventOf));
  }
}

function eventOf(text) {
  const event = {name: 'message', data: ''};
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('event:')) event.name = line.slice(6).trim();
    if (line.startsWith('data:')) event.data += line.slice(5).replace(/^ /, '');
  }
  return event;
}

function handleEvents(events) {
  receive(events.filter((event) => event.name === 'request').map((event) => JSON.parse(event.data)));
  const changed = new Set(events.filter((event) => event.name === 'change').flatMap((event) => JSON.parse(event.data).changed));
  if (changed.has('clock')) loadClock().catch(() => {});
  if (changed.size) laterRefresh();
  if (changed.has('log')) laterSync();
}

const atMostEvery = (milliseconds, action) => {
  let timer = 0;
  return () => {
    timer ||= setTimeout(() => {
      timer = 0;
      action().catch(() => {});
    }, milliseconds);
  };
};
const laterRefresh = atMostEvery(200, refresh);
const laterSync = atMostEvery(1000, syncLog);

// ---------------------------------------------------------------------------------------------------------------------
// Navigation: `#/requests/12?account=acct_1&mode=live` links to a request

function hashOf(view, item) {
  const query = state.account ? `?account=${state.account.id}&mode=${state.live ? 'live' : 'sandbox'}` : '';
  return `#/${view}${item ? `/${encodeURIComponent(item)}` : ''}${query}`;
}

function go(view, item) {
  const hash = hashOf(view, item);
  if (location.hash === hash) return;
  history[view === state.view ? 'replaceState' : 'pushState'](null, '', hash);
  show();
}

function show() {
  const [path, query] = location.hash.slice(2).split('?');
  const [view, item] = path.split('/').map(decodeURIComponent);
  const wanted = new URLSearchParams(query || '');
  const account = state.accounts.find((each) => each.id === wanted.get('account'));
  const live = wanted.has('mode') ? wanted.get('mode') === 'live' : state.live;
  state.view = loaders[view] ? view : 'requests';
  if (state.view === 'requests') log.selected = item ? Number(item) : null;
  if (state.view === 'objects') chosen.object = item || null;
  for (const name of Object.keys(loaders)) byId(`view-${name}`).hidden = name !== state.view;
  for (const link of document.querySelectorAll('.tabs a')) {
    link.setAttribute('href', hashOf(link.dataset.view));
    if (link.dataset.view === state.view) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  document.title = `${byId(`view-${state.view}`).getAttribute('aria-label')} – tally-fake`;
  if (account && (!isShown(account) || live !== state.live)) {
    choose(account, live);
    return;
  }
  if (state.view === 'requests') {
    list.select(log.selected);
    drawDetail();
  }
  refresh();
}

// ---------------------------------------------------------------------------------------------------------------------
// Accounts

function setAccounts(accounts) {
  state.accounts = accounts;
  options(byId('account'), accounts.map((account) => [account.id, account.id]), state.account ? state.account.id : '');
}

async function loadAccounts() {
  setAccounts((await call('GET', '/_fake/accounts')).accounts);
}

const isShown = (account) => state.account && account.id === state.account.id;

// Shows the first account, if the one shown is gone: it was deleted, or the server was restarted.
async function chooseFirst() {
  state.account = null;
  await loadAccounts();
  if (state.accounts.length) {
    await choose(state.accounts[0], state.live);
    return;
  }
  listening.abort();
  log.clear();
  list.redraw();
  linkState('lost', 'No account');
  go('service');
}

async function choose(account, live) {
  state.account = account;
  state.live = live;
  state.clock = null;
  byId('account').value = account.id;
  byId('mode').value = live ? 'live' : 'sandbox';
  chosen.object = state.view === 'objects' ? chosen.object : null;
  for (const link of document.querySelectorAll('.tabs a')) link.setAttribute('href', hashOf(link.dataset.view));
  listening.abort();
  await Promise.all([loadLog(), loadClock()]);
  list.select(log.selected);
  refresh();
  listen();
}

function switchAccount() {
  const account = state.accounts.find((each) => each.id === byId('account').value);
  state.account = account;
  state.live = byId('mode').value === 'live';
  log.selected = null;
  history.pushState(null, '', hashOf(state.view));
  choose(account, state.live);
}

// ---------------------------------------------------------------------------------------------------------------------
// Start

function resetFilters() {
  log.filters = {operation: '', outcome: '', account: '', text: ''};
  byId('filter-text').value = '';
  applyFilters();
}

function applyFilters() {
  log.filter();
  byId('list').scrollTop = 0;
  list.redraw();
  drawHead();
  drawStrip();
  drawFilters();
}

function filterText() {
  log.filters.text = byId('filter-text').value.trim().toLowerCase();
  applyFilters();
}

const themes = ['auto', 'light', 'dark'];

function setTheme(theme) {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  byId('theme').textContent = {auto: 'Theme: auto', light: 'Theme: light', dark: 'Theme: dark'}[theme];
  try {
    localStorage.setItem('tally-fake-theme', theme);
  } catch {
    // Without storage, the theme lasts until the page is closed.
  }
}

function storedTheme() {
  try {
    return themes.includes(localStorage.getItem('tally-fake-theme')) ? localStorage.getItem('tally-fake-theme') : 'auto';
  } catch {
    return 'auto';
  }
}

function listKeys(event) {
  const page = Math.max(1, Math.floor(byId('list').clientHeight / list.rowHeight) - 1);
  const moves = {ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity};
  if (event.key in moves) list.move(moves[event.key]);
  else if (event.key === 'Enter' && log.selected !== null) byId('detail-title').focus();
  else return;
  event.preventDefault();
}

function wire() {
  byId('theme').addEventListener('click', () => setTheme(themes[(themes.indexOf(storedTheme()) + 1) % themes.length]));
  byId('skip').addEventListener('click', (event) => {
    event.preventDefault();
    byId('main').focus();
  });
  byId('account').addEventListener('change', switchAccount);
  byId('mode').addEventListener('change', switchAccount);
  for (const each of document.querySelectorAll('[data-advance]')) each.addEventListener('click', () => advance(Number(each.dataset.advance)));
  byId('advance-other').addEventListener('click', () => openForm('POST /_fake/clock/advance'));
  byId('freeze').addEventListener('click', async () => {
    const thaw = state.clock && state.clock.frozen;
    if (await perform(thaw ? 'The clock runs again' : 'The clock is frozen', 'POST', `/_fake/clock/${thaw ? 'thaw' : 'freeze'}`)) await loadClock();
  });
  for (const name of ['operation', 'outcome', 'account'])
    byId(`filter-${name}`).addEventListener('change', (event) => {
      log.filters[name] = event.target.value;
      applyFilters();
    });
  byId('filter-text').addEventListener('input', filterText);
  byId('list').addEventListener('scroll', () => requestAnimationFrame(() => list.draw()));
  byId('list').addEventListener('keydown', listKeys);
  byId('list').addEventListener('click', (event) => {
    const row = event.target.closest('.row');
    if (row) go('requests', Number(row.dataset.number));
  });
  byId('detail').addEventListener('keydown', (event) => event.key === 'Escape' && closeDetail());
  for (const name of ['resource', 'state'])
    byId(`object-${name}`).addEventListener('change', (event) => setChosen({[name]: event.target.value}));
  byId('object-text').addEventListener('input', (event) => setChosen({text: event.target.value.trim()}));
  byId('clear-log').addEventListener('click', async () => {
    if (sure('Remove all requests from the log?') && await perform('The log is empty', 'DELETE', '/_fake/requests')) await loadLog();
  });
  byId('remove-faults').addEventListener('click', () => perform('All faults removed', 'DELETE', '/_fake/faults'));
  byId('snapshot').addEventListener('click', () => perform('Snapshot taken', 'POST', '/_fake/snapshots', {}));
  byId('reset').addEventListener('click', async () => {
    if (sure('Restore the initial state of this account’s service?') && await perform('Reset', 'POST', '/_fake/reset', {})) await syncLog();
  });
  for (const each of document.querySelectorAll('[data-form]')) {
    each.hidden = !operation(each.dataset.form);
    each.addEventListener('click', () => openForm(each.dataset.form));
  }
  byId('clear-log').hidden = !operation('DELETE /_fake/requests');
  byId('remove-faults').hidden = !operation('DELETE /_fake/faults');
  window.addEventListener('popstate', show);
  window.addEventListener('hashchange', show);
  window.addEventListener('resize', () => list.redraw());
  setInterval(drawClock, 250);
  setInterval(drawUntil, 500);
  // Time passes, so limits free up. Other services come and go without events in this one's stream.
  setInterval(() => {
    if (!document.hidden && ['limits', 'faults', 'service'].includes(state.view)) laterRefresh();
  }, 1000);
}

async function start() {
  setTheme(storedTheme());
  linkState('', 'Connecting');
  const [control, description, machines] = await Promise.all([
    call('GET', 'control.openapi.json'), call('GET', '/_fake/description'), call('GET', '/_fake/state_machine'), loadAccounts()]);
  state.paths = control.paths;
  state.schemas = control.components.schemas;
  state.description = description;
  state.machines = machines.state_machines;
  wire();
  drawOperations();
  const wanted = new URLSearchParams(location.hash.split('?')[1] || '');
  state.account = state.accounts.find((each) => each.id === wanted.get('account')) || state.accounts[0];
  state.live = wanted.get('mode') === 'live';
  show();
  if (state.account) await choose(state.account, state.live);
  else await chooseFirst();
}

start().catch((problem) => {
  linkState('lost', problem.message);
  toast(problem.message, true);
});
