// The states of a resource as a drawing, and as a table.

import {el, svg} from '../elements.js';
import {plural, words} from '../text.js';
import {chosen, setChosen} from './objects.js';

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

export function machineCard(machine, counts, object) {
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
