// One request: its result and the reason, its parts, and what else belongs to it.

import {byId, button, copy, el} from './elements.js';
import {breakable, clockTime, duration, moment, parsedJson, words} from './text.js';
import {isSecretName, mask, masked, withoutKeys} from './masking.js';
import {badge, hasFault, nameOf, outcomes, pathOf, statusOf, tookOf} from './outcome.js';
import {markOf, related, sameWithin} from './attempts.js';
import {call, operation, state} from './control.js';
import {log} from './log.js';
import {go, hashOf} from './navigation.js';
import {openForm} from './forms.js';
import {copyCurl, sendAgain, senderOf} from './resend.js';

const mostRelated = 5;  // that are shown before and after a request
const detail = {entry: null, related: [], revealed: null};

// Shows the selected request. What the list lacks, such as the response, follows.
export async function drawDetail(known = log.byNumber.get(log.selected)) {
  const number = log.selected;
  const isOther = !detail.entry || detail.entry.number !== number;
  if (isOther) Object.assign(detail, {entry: known || null, related: []});
  draw();
  if (number === null) return;
  try {
    const {requests: [entry]} = await call('GET', `/_fake/requests?starting_after=${number - 1}&limit=1`);
    if (number !== log.selected) return;
    const isLogged = entry && entry.number === number;
    if (isLogged) detail.entry = entry;
    draw(!isLogged);
    if (isLogged) detail.related = await related(entry);
    if (number === log.selected && detail.related.length > 1) draw();
  } catch {
    // The list says that the service is not reached.
  }
}

export function closeDetail() {
  state.closedByHand = true;
  go('requests');
  byId('list').focus();
}

// New requests may belong to the one that is shown.
export function noteArrivals(entries) {
  const {entry} = detail;
  if (entry && log.selected === entry.number && entries.some((each) => each.url === entry.url)) drawDetail();
}

function draw(isGone) {
  const {entry} = detail;
  const shown = byId('detail');
  shown.hidden = !entry || log.selected === null;
  document.querySelector('.split').classList.toggle('open', !shown.hidden);
  byId('no-detail').textContent = isGone ? `The log no longer contains request ${log.selected}.` : 'Select a request to see its parameters, its response and why it ended as it did.';
  if (shown.hidden) return;
  const top = shown.dataset.number === String(entry.number) ? shown.scrollTop : 0;
  const focused = shown.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  shown.dataset.number = entry.number;
  shown.replaceChildren(...partsOf(entry));
  shown.scrollTop = top;
  const again = focused && shown.querySelector(`[data-key="${CSS.escape(focused)}"]`);
  if (again) again.focus({preventScroll: true});
}

function partsOf(whole) {
  const isRevealed = detail.revealed === whole.number;
  const entry = isRevealed ? whole : withoutKeys(whole);
  return [
    el('div', {class: 'detail-head'}, badge(entry),
      el('h2', {tabindex: -1, id: 'detail-title', 'data-key': 'title'}, breakable(nameOf(entry)), el('small', {}, `request ${entry.number} · ${clockTime(entry.time)}`)),
      button('Copy link', () => copy(location.origin + location.pathname + hashOf('requests', entry.number), 'Link copied'), {class: 'small', 'data-key': 'link'}),
      button('Close', closeDetail, {class: 'small', 'aria-label': 'Close the request', 'data-key': 'close'})),
    explain(entry),
    actions(whole, isRevealed),
    el('h3', {}, 'Request'),
    facts(entry),
    belonging(entry),
    pairs('Parameters', paramsOf(entry), isRevealed),
    pairs('Request headers', entry.headers, isRevealed),
    isRevealed && entry.body ? [el('h3', {}, 'Request body, as sent'), el('pre', {tabindex: 0}, entry.body)] : null,
    responseOf(entry, isRevealed),
  ].flat(Infinity).filter(Boolean);
}

function actions(entry, isRevealed) {
  const reveal = button(isRevealed ? 'Hide keys and metadata' : 'Reveal keys and metadata', () => {
    detail.revealed = isRevealed ? null : entry.number;
    draw();
  }, {'data-key': 'reveal', 'aria-pressed': isRevealed, class: 'small'});
  return el('div', {class: 'buttons'},
    button(isRevealed ? 'Copy as curl, with the key' : 'Copy as curl', () => copyCurl(entry, isRevealed), {class: 'small', 'data-key': 'curl'}),
    button('Send again', () => sendAgain(entry), {class: 'small', 'data-key': 'again'}),
    reveal,
    entry.operation && operation('POST /_fake/faults') && button('Make the next one time out…',
      () => openForm('POST /_fake/faults', {operation: entry.operation}, 'Time out'), {class: 'small', 'data-key': 'fault'}),
    entry.object && operation('POST /_fake/locks') && button('Hold its lock…',
      () => openForm('POST /_fake/locks', {object: entry.object}), {class: 'small', 'data-key': 'lock'}),
    entry.operation && operation('POST /_fake/verify') && button('Verify such requests…',
      () => openForm('POST /_fake/verify', {operation: entry.operation, object: entry.object || undefined}), {class: 'small', 'data-key': 'verify'}));
}

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
    because.push(entry.fault_from_header ? ' The fault in its Tally-Fake-Fault header applied'
      : ` The injected fault${entry.fault_id ? ` ${entry.fault_id}` : ''} applied`);
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
    all.push(button('Show the limit', () => go('limits'), {class: 'small', 'data-key': 'limit'}));
    if (operation('POST /_fake/limits') && state.description.limits.some((limit) => limit.name === entry.limit))
      all.push(button('Change the limit…', () => openForm('POST /_fake/limits', limitPreset(entry.limit, entry)), {class: 'small', 'data-key': 'change'}));
  }
  if (entry.error_code === 'lock_timeout' || hasFault(entry))
    all.push(button('Show faults and holds', () => go('faults'), {class: 'small', 'data-key': 'faults'}));
  return all;
}

export function limitPreset(limit, of) {
  const scope = (state.description.limits.find((each) => each.name === limit) || {}).scope;
  return {limit, account: senderOf(of), livemode: of.livemode, operation: scope === 'operation' ? of.operation : undefined};
}

function facts(entry) {
  const mark = markOf(entry);
  const rows = [
    ['Request', `${entry.method} ${pathOf(entry)}`],
    ['Time', moment(entry.time)],
    ['Took', tookOf(entry)],
    ['Status', `${statusOf(entry)} · ${outcomes[entry.outcome]}`],
    ['Account', entry.account && `${entry.account} · ${entry.livemode ? 'live' : 'sandbox'}`],
    ['Object', entry.object && el('a', {href: hashOf('objects', entry.object)}, entry.object)],
    ['Request-Id', entry.request_id],
    ['Attempt', mark.call && `${mark.attempt} of call ${mark.call}`],
  ];
  return el('dl', {class: 'facts'}, rows.filter(([, value]) => value).map(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]));
}

// The attempts of a call, if the client has marked them; otherwise only that requests say the same.
function belonging(entry) {
  const all = detail.related;
  if (all.length < 2 || !all.some((each) => each.number === entry.number)) return null;
  const mark = markOf(entry);
  const place = all.findIndex((each) => each.number === entry.number);
  const shown = all.slice(Math.max(0, place - mostRelated), place + mostRelated + 1);
  const title = mark.call ? `Attempts of call ${mark.call} (${all.length})` : `Requests that say the same (${all.length})`;
  const hint = mark.call ? `The client has marked them by the Tally-Call header.`
    : `The same account, method, URL and body, at most ${sameWithin} s before or after this one. They may be attempts of one call, or independent of each other.`;
  return [el('h3', {}, title), el('p', {class: 'hint'}, hint), el('ol', {class: 'attempts'}, shown.map((each) =>
    el('li', {}, badge(each), each.number === entry.number
      ? el('strong', {}, `Request ${each.number} (this one)`) : el('a', {href: hashOf('requests', each.number)}, `Request ${each.number}`),
    el('span', {class: 'hint'}, mark.call ? `attempt ${markOf(each).attempt} · ` : '', clockTime(each.time))))),
  shown.length < all.length ? el('p', {class: 'hint'}, `${all.length - shown.length} others are further away.`) : null];
}

function valueCell(name, value, isRevealed) {
  return isSecretName(name) && !isRevealed
    ? el('td', {class: 'value'}, el('span', {class: 'masked', 'aria-label': 'hidden'}, mask))
    : el('td', {class: 'value'}, value);
}

function pairs(title, rows, isRevealed) {
  if (!rows || !rows.length) return null;
  return [el('h3', {}, title), el('table', {class: 'pairs'},
    el('thead', {class: 'hidden'}, el('tr', {}, el('th', {scope: 'col'}, 'Name'), el('th', {scope: 'col'}, 'Value'))),
    el('tbody', {}, rows.map(({name, value}) => el('tr', {}, el('th', {scope: 'row'}, breakable(name)), valueCell(name, value, isRevealed)))))];
}

function bodyText(text, isRevealed) {
  const value = parsedJson(text);
  if (value === undefined) return text;
  return JSON.stringify(isRevealed ? value : masked(value), null, 2);
}

// Parameters without the help of the server.
function paramsOf(entry) {
  if (entry.params) return entry.params;
  const read = (text) => [...new URLSearchParams(text)].map(([name, value]) => ({name, value}));
  return [...read(entry.url.split('?')[1] || ''), ...(parsedJson(entry.body) === undefined ? read(entry.body) : [])];
}

function responseOf(entry, isRevealed) {
  if (!entry.response) return null;
  return [pairs('Response headers', entry.response.headers, isRevealed),
    entry.response.body ? [el('h3', {}, 'Response body'), el('pre', {tabindex: 0}, bodyText(entry.response.body, isRevealed))] : null];
}
