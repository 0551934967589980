// How the read allocation changes if nothing else happens.

import {el, svg} from '../elements.js';
import {millisecondsBetween, words} from '../text.js';

// The reads that count from now on, and how many are allowed.
export function allocationCard({limit, points}) {
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
