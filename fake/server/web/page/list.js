// The list of requests. Only the visible rows exist, and older requests are loaded as the list is scrolled.

import {byId, button, el, renderIfChanged} from './elements.js';
import {clockTime, dayOf} from './text.js';
import {badge, describe, nameOf, pathOf, reasonsOf, tellingParams, tookOf} from './outcome.js';
import {withoutKeys} from './masking.js';
import {keyOf, state} from './control.js';
import {log} from './log.js';
import {go} from './navigation.js';
import {resetFilters} from './filters.js';

export const isNarrow = () => matchMedia('(max-width: 760px)').matches;

export const list = {
  rows: new Map(),  // by number

  get rowHeight() {
    return isNarrow() ? 66 : 48;
  },

  // `fresh` rows have been added at the top.
  draw(fresh = 0) {
    const frame = byId('list');
    const height = this.rowHeight;
    if (fresh && frame.scrollTop > height / 2) frame.scrollTop += fresh * height;
    const count = log.entries.length;
    byId('list-space').style.height = `${count * height}px`;
    const first = Math.max(0, Math.floor(frame.scrollTop / height) - 6);
    const end = Math.min(count, Math.ceil((frame.scrollTop + frame.clientHeight) / height) + 6);
    const wanted = new Map();
    for (let i = first; i < end; ++i) wanted.set(log.entries[count - 1 - i].number, i);
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
    drawDay(frame, height);
    drawEmpty(count === 0);
    if (end > count - 20 && log.hasOlder) this.loadOlder();
  },

  async loadOlder() {
    if (await log.loadOlder()) this.draw();
  },

  place(entry, position, fresh) {
    let row = this.rows.get(entry.number);
    if (!row) {
      row = rowOf(entry);
      if (fresh) row.classList.add('fresh');
      this.rows.set(entry.number, row);
    }
    row.style.transform = `translateY(${position * this.rowHeight}px)`;
    row.setAttribute('aria-posinset', position + 1);
    row.setAttribute('aria-setsize', log.hasOlder ? -1 : log.entries.length);
    row.setAttribute('aria-selected', entry.number === log.selected);
    const newer = log.entries[log.entries.length - position];
    row.querySelector('.day').hidden = !newer || newer.time.slice(0, 10) === entry.time.slice(0, 10);
    return row;
  },

  // Scrolls to the selected row.
  select(number) {
    const place = log.placeOf(number);
    if (place >= 0) {
      const frame = byId('list');
      const top = (log.entries.length - 1 - place) * this.rowHeight;
      if (top < frame.scrollTop) frame.scrollTop = top;
      if (top + this.rowHeight > frame.scrollTop + frame.clientHeight)
        frame.scrollTop = top + this.rowHeight - frame.clientHeight;
    }
    this.draw();
  },

  // Moves the selection by this number of rows.
  move(rows) {
    const count = log.entries.length;
    if (!count) return;
    const current = log.placeOf(log.selected);
    const position = current < 0 ? 0 : count - 1 - current + rows;
    go('requests', log.entries[count - 1 - Math.min(count - 1, Math.max(0, position))].number);
  },

  redraw() {
    for (const row of this.rows.values()) row.remove();
    this.rows.clear();
    this.draw();
  },
};

function rowOf(whole) {
  const entry = withoutKeys(whole);
  const params = tellingParams(entry);
  return el('div', {class: 'row', role: 'option', id: `row-${entry.number}`, 'data-number': entry.number,
      'aria-label': [`Request ${entry.number}`, nameOf(entry), `${entry.method} ${pathOf(entry)}`, params, describe(entry)].filter(Boolean).join(', ')},
    el('span', {class: 'day'}, dayOf(entry.time)),
    badge(entry),
    el('span', {class: 'when'}, el('span', {}, clockTime(entry.time)), el('small', {}, tookOf(entry))),
    el('span', {class: 'what'},
      el('span', {class: entry.operation ? 'op' : 'op none'}, nameOf(entry)),
      el('small', {title: `${entry.method} ${pathOf(entry)}`}, `${entry.method} ${pathOf(entry)}`)),
    el('span', {class: 'told'},
      el('span', {class: 'params', title: params || null}, params),
      el('span', {class: 'why'}, reasonsOf(entry).map(([kind, text]) => el('span', {class: `chip ${kind}`}, text)))));
}

// The date of the topmost visible row.
function drawDay(frame, height) {
  const top = log.entries[log.entries.length - 1 - Math.floor(frame.scrollTop / height)];
  byId('list-day').textContent = top ? dayOf(top.time) : '';
}

function drawEmpty(isEmpty) {
  const empty = byId('empty');
  empty.hidden = !isEmpty;
  byId('columns').hidden = isEmpty;
  if (!isEmpty) return;
  const example = state.account &&
    `curl -u ${keyOf(state.account).slice(0, 8)}…: ${location.origin}/v1/${(state.description.operations[0] || {path: ''}).path.split('/')[2] || ''}`;
  renderIfChanged(empty, [log.isFiltered, example], () => log.isFiltered
    ? ['No request matches the filters. ', button('Remove the filters', resetFilters)]
    : ['No requests yet. They appear here as they arrive.', el('br'), el('code', {}, example || '')]);
}

export function listKeys(event) {
  const page = Math.max(1, Math.floor(byId('list').clientHeight / list.rowHeight) - 1);
  const moves = {ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity};
  if (event.key in moves) list.move(moves[event.key]);
  else if (event.key === 'Enter' && log.selected !== null) byId('detail-title').focus();
  else return;
  event.preventDefault();
}
