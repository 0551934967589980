// Elements of the page. All text is shown as text: el() and svg() only set text and attributes.

export function fill(element, attributes, children) {
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

export const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const svg = (tag, attributes, ...children) =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
export const byId = (id) => document.getElementById(id);
export const button = (label, onclick, attributes) => el('button', {type: 'button', onclick, ...attributes}, label);

// Replaces the content of a container if its data have changed. Details stay open, and the focus stays on the element
// with the same data-key.
const shownData = new WeakMap();

export function renderIfChanged(container, data, build) {
  const text = JSON.stringify(data);
  if (shownData.get(container) === text) return;
  shownData.set(container, text);
  const open = new Set([...container.querySelectorAll('details[open][data-key]')].map((each) => each.dataset.key));
  const focused = container.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  container.replaceChildren(...[build()].flat(Infinity).filter(Boolean));
  for (const each of container.querySelectorAll('details[data-key]')) if (open.has(each.dataset.key)) each.open = true;
  if (focused === undefined) return;
  const again = container.querySelector(`[data-key="${CSS.escape(focused)}"]`);
  if (again) again.focus({preventScroll: true});
}

export function options(select, rows, value) {
  renderIfChanged(select, rows, () => rows.map(([name, label]) => el('option', {value: name}, label)));
  select.value = value;
}

export function table(titles, rows, empty) {
  if (!rows.length) return el('div', {class: 'table-frame'}, el('p', {class: 'empty'}, empty));
  return el('div', {class: 'table-frame'}, el('table', {class: 'rows'},
    el('thead', {}, el('tr', {}, titles.map((title) => el('th', {scope: 'col'}, title || el('span', {class: 'hidden'}, 'Actions'))))),
    el('tbody', {}, rows.map((cells) => el('tr', {}, cells.map((cell, i) =>
      el('td', {class: titles[i] ? null : 'actions', 'data-title': titles[i] || null}, cell)))))));
}

const icons = {
  succeeded: 'M3 8.5l3.2 3.2L13 4.5',
  limited: 'M4 2h8M4 14h8M5 2c0 4 6 8 6 12M11 2c0 4-6 8-6 12',
  refused: 'M8 2a6 6 0 100 12A6 6 0 008 2M4 12L12 4',
  unanswered: 'M9 1.5L4 9h4l-1 5.5L12 7H8z',
  failed: 'M8 2L1.5 13.5h13zM8 6.5v3M8 11.5v.2',
};
const icon = (name) => svg('svg', {viewBox: '0 0 16 16', 'aria-hidden': 'true'}, svg('path', {d: icons[name]}));
export const badgeOf = (kind, ...text) => el('span', {class: `badge ${kind}`}, icon(kind), text);

export function announce(text) {
  byId('announcer').textContent = text;
}

export function toast(text, bad) {
  const shown = el('div', {class: bad ? 'toast bad' : 'toast'}, text);
  byId('toasts').append(shown);
  setTimeout(() => shown.remove(), bad ? 8000 : 4000);
}

export async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    toast(done);
  } catch {
    toast(text);
  }
}

export function sure(question) {
  return window.confirm(question);
}
