// Which limits refused requests in the last 24 hours, in the order in which they began to.

import {badgeOf, button, el, svg, table} from '../elements.js';
import {duration, millisecondsOf, number, plural, shortMoment, words} from '../text.js';
import {serviceNow} from '../clock.js';
import {emptyFilters} from '../log.js';
import {applyFilters} from '../filters.js';
import {go} from '../navigation.js';

const minute = 60e3;

// The limits that have refused, as the answer to “which limit did I hit?”.
export const refusing = (histories) => histories.filter((each) => each.refusals);

export function answer(histories) {
  const all = refusing(histories);
  if (!all.length) return 'No limit has refused a request in the last 24 hours.';
  const [first] = all;
  const total = all.reduce((sum, each) => sum + each.refusals, 0);
  return [el('strong', {}, nameOf(first)), ` refused first, at ${shortMoment(first.first_refusal, serviceNow())}. `,
    `${plural(total, 'request')} refused by ${plural(all.length, 'limit')} in the last 24 hours.`];
}

const nameOf = (history) => `${words(history.limit)}${history.operation ? ` of ${history.operation}` : ''}`;

// Refusals per minute, from the first one to the last one.
function chart(history) {
  const times = history.minutes.map((each) => millisecondsOf(each.start));
  const [from, until] = [times[0], times[times.length - 1] + minute];
  const bars = Math.min(60, Math.round((until - from) / minute));
  const each = (until - from) / bars;
  const counts = new Array(bars).fill(0);
  history.minutes.forEach(({refusals}, i) => { counts[Math.min(bars - 1, Math.floor((times[i] - from) / each))] += refusals; });
  const most = Math.max(...counts);
  const busiest = history.minutes.reduce((a, b) => (b.refusals > a.refusals ? b : a));
  const text = `up to ${number(busiest.refusals)} in a minute, at ${shortMoment(busiest.start, serviceNow()).slice(0, -3)}`;
  return [svg('svg', {class: 'spark', viewBox: '0 0 120 24', preserveAspectRatio: 'none', role: 'img',
    'aria-label': `Refusals in ${duration(until - from)}: ${text}`},
  counts.map((count, i) => {
    const height = count ? Math.max(2, count / most * 24) : 0;
    return svg('rect', {x: i * 120 / bars, y: 24 - height, width: Math.max(0.8, Math.min(8, 120 / bars - 0.6)), height});
  })), el('small', {}, text)];
}

// Shows the refused requests that the log still has.
function showRequests(history) {
  applyFilters({...emptyFilters(), outcome: 'limited', operation: history.operation || '',
    from: history.first_refusal, until: new Date(millisecondsOf(history.last_refusal) + 1).toISOString()});
  go('requests');
}

export function refusalsOf(histories) {
  const all = refusing(histories);
  const rows = all.map((history) => [
    [el('strong', {}, words(history.limit)), history.operation ? el('small', {class: 'under'}, history.operation) : null,
      history.refused_object ? el('small', {class: 'under'}, `last for ${history.refused_object}`) : null],
    badgeOf('limited', number(history.refusals)),
    shortMoment(history.first_refusal, serviceNow()),
    shortMoment(history.last_refusal, serviceNow()),
    chart(history),
    history.highest_at ? `${number(history.highest_use)}${history.allowed === null ? '' : ` of ${number(history.allowed)}`}` : '–',
    button('Requests', () => showRequests(history), {class: 'small', 'data-key': `requests ${nameOf(history)}`,
      'aria-label': `Requests that ${nameOf(history)} refused`}),
  ]);
  return [el('p', {class: 'answer'}, answer(histories)),
    all.length ? table(['Limit', 'Refused', 'First', 'Last', 'Per minute', 'Highest use', ''], rows, '') : null];
}
