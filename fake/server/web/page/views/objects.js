// The objects of the account, and the states of their resource.

import {button, byId, el, options, renderIfChanged} from '../elements.js';
import {words} from '../text.js';
import {masked} from '../masking.js';
import {call, state} from '../control.js';
import {emptyFilters} from '../log.js';
import {applyFilters} from '../filters.js';
import {go} from '../navigation.js';
import {openForm} from '../forms.js';
import {refresh} from '../updates.js';
import {machineCard} from './machine.js';

export const chosen = {resource: '', state: '', text: '', object: null};

export async function loadObjects() {
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

export function setChosen(change) {
  Object.assign(chosen, change);
  if ('resource' in change && !('state' in change)) chosen.state = '';
  refresh();
}

function objectTable(listed, shown) {
  if (!listed.objects.length)
    return el('div', {class: 'table-frame'}, el('p', {class: 'empty'}, 'No object matches. Insert some, or create them with requests.'));
  const row = (object) => el('tr', {'aria-current': shown && shown.id === object.id ? 'true' : null},
    el('td', {class: 'id', 'data-title': 'Identifier'}, object.id),
    el('td', {'data-title': 'Resource'}, words(object.resource)),
    el('td', {'data-title': 'State'}, object.state ? words(object.state) : '–'),
    el('td', {'data-title': 'Created'}, object.created.replace(/(\.\d+)?Z$/, '').replace('T', ' ')),
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
  return el('div', {class: 'table-frame'}, el('table', {class: 'rows'},
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
      byId('filter-text').value = object.id;
      applyFilters({...emptyFilters(), text: object.id});
      go('requests');
    }, {class: 'small'}))];
}

export function wireObjects() {
  for (const name of ['resource', 'state'])
    byId(`object-${name}`).addEventListener('change', (event) => setChosen({[name]: event.target.value}));
  byId('object-text').addEventListener('input', (event) => setChosen({text: event.target.value.trim()}));
}
