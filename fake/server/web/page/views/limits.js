// The limits of the account: which of them refused requests, and how much of each is used.

import {badgeOf, button, byId, el, renderIfChanged} from '../elements.js';
import {duration, number, plural, shortMoment, words} from '../text.js';
import {call, state} from '../control.js';
import {drawUntil, serviceNow} from '../clock.js';
import {limitPreset} from '../detail.js';
import {openForm} from '../forms.js';
import {allocationCard} from './allocation.js';
import {refusalsOf} from './refusals.js';

const windowOf = (name) => (state.description.limits.find((limit) => limit.name === name) || {}).window_seconds;

function rateText(line) {
  const seconds = windowOf(line.limit);
  if (seconds === undefined) return '';
  return seconds === 0 ? 'at the same time' : `per ${{1: 'second', 60: 'minute', 3600: 'hour', 86400: 'day'}[seconds] || duration(seconds * 1000)}`;
}

export const until = (text, before, now) => el('time', {datetime: text, 'data-until': text, 'data-before': before, 'data-now': now || ''});

function gauge(line, history) {
  const name = [line.limit, line.operation, line.object].filter(Boolean).join(' of ');
  const off = line.allowed === null;
  const share = off || line.allowed === 0 ? (off ? 0 : 1) : Math.min(1, line.used / line.allowed);
  const level = off ? '' : share >= 1 ? 'full' : share >= 0.75 ? 'high' : '';
  const text = off ? `${number(line.used)} used, no limit`
    : `${number(line.used)} of ${number(line.allowed)} used, ${number(line.remaining)} left`;
  const bar = el('div', {});
  bar.style.width = `${share * 100}%`;
  const isSettable = state.description.limits.some((limit) => limit.name === line.limit);
  return el('div', {class: 'card'},
    el('div', {class: 'card-head'},
      el('h3', {}, words(line.limit), el('small', {}, [line.operation, line.object, rateText(line)].filter(Boolean).join(' · '))),
      level === 'full' ? badgeOf('limited', 'used up') : null,
      isSettable && button('Change…', () => openForm('POST /_fake/limits', {...limitPreset(line.limit, line), value: line.allowed ?? undefined}),
        {class: 'small', 'data-key': `change ${name}`, 'aria-label': `Change ${name}`})),
    el('div', {class: `gauge ${level}`, role: 'meter', 'aria-label': name, 'aria-valuemin': 0, 'aria-valuemax': off ? line.used : line.allowed,
      'aria-valuenow': Math.min(line.used, off ? line.used : line.allowed), 'aria-valuetext': text}, bar),
    el('p', {class: 'card-numbers'}, text),
    el('p', {class: 'hint'}, freeing(line)),
    el('p', {class: 'hint'}, pastOf(history)));
}

function freeing(line) {
  if (line.allowed === 0) return 'Refuses every request.';
  if (line.remaining === 0 && line.available_at) return until(line.available_at, 'The next request is admitted ', 'at once');
  if (line.remaining === 0) return 'Frees up when a unit is released.';
  if (line.frees_at) return until(line.frees_at, 'The next one frees up ', 'now');
  return line.used ? 'Frees up when a unit is released.' : 'Unused now.';
}

// What happened there in the last 24 hours.
function pastOf(history) {
  if (!history) return 'Unused in the last 24 hours.';
  const past = [];
  if (history.highest_at)
    past.push(`Highest use ${number(history.highest_use)}${history.allowed === null ? '' : ` of ${number(history.allowed)}`}, at ${shortMoment(history.highest_at, serviceNow())}${history.highest_object ? ` for ${history.highest_object}` : ''}.`);
  if (history.refusals) past.push(`${plural(history.refusals, 'request')} refused, the last at ${shortMoment(history.last_refusal, serviceNow())}.`);
  return past.join(' ');
}

export async function loadHistory() {
  const {history} = await call('GET', '/_fake/usage/history');
  return history.filter((each) => each.livemode === state.live);
}

export async function loadLimits() {
  const [{usage}, {allocation}, histories] = await Promise.all([
    call('GET', '/_fake/usage'), call('GET', '/_fake/allocation'), loadHistory()]);
  const lines = usage.filter((line) => line.livemode === state.live);
  const historyOf = (line) => histories.find((each) => each.limit === line.limit && each.operation === line.operation);
  const isUsed = (line) => line.used || (historyOf(line) && !line.object) || line.allowed === 0;
  const isAccountWide = (line) => !line.operation && !line.object;
  const groups = [
    ['Of the account', lines.filter((line) => isAccountWide(line) && isUsed(line))],
    ['Of an operation or an object', lines.filter((line) => !isAccountWide(line) && isUsed(line))],
  ];
  const unused = lines.filter((line) => !isUsed(line));
  const cards = (all) => el('div', {class: 'cards'}, all.map((line) => gauge(line, historyOf(line))));
  renderIfChanged(byId('refusals'), [histories, state.account.id, serviceNow().slice(0, 10)], () => refusalsOf(histories));
  renderIfChanged(byId('limits'), [lines, histories, state.account.id], () => [
    ...groups.filter(([, all]) => all.length).map(([title, all]) => [el('h3', {class: 'section'}, title), cards(all)]),
    unused.length ? el('details', {class: 'more', 'data-key': 'unused'},
      el('summary', {}, `Limits without use in the last 24 hours (${unused.length})`), cards(unused)) : null,
  ]);
  renderIfChanged(byId('allocation'), allocation.map(({limit, points}) => [limit, points.map(({used, allowed}) => [used, allowed])]),
    () => allocation.map(allocationCard));
  drawUntil();
}
