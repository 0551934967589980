// The outcomes over time, with an axis. Spans are chosen with the pointer, or with the arrow keys.

import {announce, byId, el, renderIfChanged, svg} from './elements.js';
import {dayOf, duration, millisecondsOf, number, plural} from './text.js';
import {outcomes} from './outcome.js';
import {log} from './log.js';
import {applyFilters} from './filters.js';

const width = 960;
const height = 40;
export const bars = 96;
let chosen = null;  // {anchor, end}: the places of bars
let told = null;    // the place of the bar that the tip is about

const isoOf = (milliseconds) => new Date(milliseconds).toISOString();

// The time that the strip covers, in milliseconds since 1970, rounded so that it contains all requests.
const whole = () => [millisecondsOf(log.summary.from), millisecondsOf(log.summary.until) + 1];

// The time that a bar covers.
function spanOf(place) {
  const [from, until] = whole();
  const each = Math.max(1, until - from) / bars;
  return [from + place * each, from + (place + 1) * each];
}

function timeText(milliseconds, length) {
  const text = isoOf(milliseconds);
  if (length > 2 * 86400e3) return `${text.slice(5, 10)} ${text.slice(11, 16)}`;
  return length > 600e3 ? text.slice(11, 16) : length > 2e3 ? text.slice(11, 19) : text.slice(11, 23);
}

const describeBar = (bar) => Object.entries(bar).filter(([, count]) => count)
  .map(([name, count]) => `${outcomes[name].toLowerCase()} ${number(count)}`).join(', ') || 'no requests';
const totalOf = (bar) => Object.values(bar).reduce((sum, count) => sum + count, 0);

function barsOf(spans) {
  const most = Math.max(1, ...spans.map(totalOf));
  return spans.flatMap((bar, i) => {
    let bottom = height;
    return Object.keys(outcomes).filter((name) => bar[name]).map((name) => {
      const size = Math.max(2.5, bar[name] / most * (height - 2));
      bottom -= size;
      return svg('rect', {class: name, x: i * 10 + 1, y: Math.max(0, bottom), width: 8, height: size, rx: 1});
    });
  });
}

export function drawStrip() {
  const {summary} = log;
  const strip = byId('strip');
  strip.hidden = !summary || !summary.spans.length;
  drawInterval();
  if (strip.hidden) return;
  const [from, until] = whole();
  const parts = Object.entries(summary.outcomes).filter(([, count]) => count).map(([name, count]) => `${outcomes[name]}: ${count}`);
  strip.setAttribute('aria-label', `Outcomes over time, from ${isoOf(from)} to ${isoOf(until)}. ${parts.join(', ') || 'No requests'}. ` +
    'Arrow keys move over it, with Shift they choose an interval, Enter shows it.');
  renderIfChanged(strip, [summary.spans, summary.from, summary.until], () => [
    svg('svg', {viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', 'aria-hidden': 'true'},
      svg('rect', {class: 'chosen', height, width: 0}), barsOf(summary.spans)),
    el('div', {class: 'axis', 'aria-hidden': 'true'}, [0, 1, 2, 3, 4].map((i) =>
      el('span', {class: i % 2 ? 'between' : null}, (i === 0 || isoOf(from).slice(0, 10) !== isoOf(until).slice(0, 10)) && i % 4 === 0 ? `${dayOf(isoOf(i ? until : from))} ` : '',
        timeText(from + (until - from) * i / 4, until - from)))),
    el('div', {class: 'tip', role: 'presentation', hidden: true})]);
  drawChosen();
  if (told !== null) drawTip(told);
}

function drawChosen() {
  const mark = byId('strip').querySelector('.chosen');
  if (!mark) return;
  const [first, last] = chosen ? [Math.min(chosen.anchor, chosen.end), Math.max(chosen.anchor, chosen.end)] : [0, -1];
  mark.setAttribute('x', first * 10);
  mark.setAttribute('width', (last - first + 1) * 10);
}

// Shows what a bar, or the chosen bars, stand for.
function drawTip(place) {
  const tip = byId('strip').querySelector('.tip');
  if (!tip || !log.summary) return;
  told = place;
  const [first, last] = chosen ? [Math.min(chosen.anchor, chosen.end), Math.max(chosen.anchor, chosen.end)] : [place, place];
  const sum = {};
  for (const bar of log.summary.spans.slice(first, last + 1))
    for (const [name, count] of Object.entries(bar)) sum[name] = (sum[name] || 0) + count;
  const [from, until] = [spanOf(first)[0], spanOf(last)[1]];
  const total = totalOf(sum);
  tip.textContent = `${timeText(from, until - from)} to ${timeText(until, until - from)} (${duration(until - from)}): ${plural(total, 'request')}${total ? `; ${describeBar(sum)}` : ''}`;
  tip.hidden = false;
  tip.classList.toggle('right', place > bars / 2);
  tip.style.left = `${(place + 0.5) / bars * 100}%`;
}

function hideTip() {
  told = null;
  const tip = byId('strip').querySelector('.tip');
  if (tip) tip.hidden = true;
}

function clear() {
  chosen = null;
  hideTip();
  drawChosen();
}

// Shows only the chosen interval.
function apply() {
  if (!chosen) return;
  const [first, last] = [Math.min(chosen.anchor, chosen.end), Math.max(chosen.anchor, chosen.end)];
  const [from, until] = [spanOf(first)[0], spanOf(last)[1]];
  clear();
  applyFilters({from: isoOf(Math.floor(from)), until: isoOf(Math.ceil(until))});
}

function drawInterval() {
  const {from, until} = log.filters;
  byId('interval').hidden = !from;
  if (!from) return;
  const length = millisecondsOf(until) - millisecondsOf(from);
  byId('interval-text').textContent = `Only ${dayOf(from)}, ${timeText(millisecondsOf(from), Math.min(length, 600e3))} to ${timeText(millisecondsOf(until), Math.min(length, 600e3))} (${duration(length)})`;
}

const placeAt = (event) => {
  const box = byId('strip').querySelector('svg').getBoundingClientRect();
  return Math.min(bars - 1, Math.max(0, Math.floor((event.clientX - box.left) / box.width * bars)));
};

export function wireStrip() {
  const strip = byId('strip');
  strip.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || !log.summary) return;
    strip.setPointerCapture(event.pointerId);
    chosen = {anchor: placeAt(event), end: placeAt(event)};
    drawChosen();
  });
  strip.addEventListener('pointermove', (event) => {
    if (!log.summary || !strip.querySelector('svg')) return;
    if (chosen && event.buttons) chosen.end = placeAt(event);
    drawChosen();
    drawTip(placeAt(event));
  });
  strip.addEventListener('pointerup', apply);
  strip.addEventListener('pointercancel', clear);
  strip.addEventListener('pointerleave', () => hideTip());
  strip.addEventListener('blur', clear);
  strip.addEventListener('keydown', stripKeys);
  byId('interval-remove').addEventListener('click', () => applyFilters({from: '', until: ''}));
}

function stripKeys(event) {
  const step = {ArrowLeft: -1, ArrowRight: 1, Home: -bars, End: bars}[event.key];
  if (event.key === 'Enter') apply();
  else if (event.key === 'Escape') clear();
  else if (step) {
    const end = Math.min(bars - 1, Math.max(0, (chosen ? chosen.end : step < 0 ? bars : -1) + step));
    chosen = {anchor: event.shiftKey && chosen ? chosen.anchor : end, end};
    drawChosen();
    drawTip(end);
    announce(byId('strip').querySelector('.tip').textContent);
  } else return;
  event.preventDefault();
}
