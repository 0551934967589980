// Keys that work anywhere except in a field, and their help.

import {button, byId, el} from './elements.js';
import {state} from './control.js';
import {log} from './log.js';
import {list} from './list.js';
import {closeDetail} from './detail.js';
import {setPaused} from './filters.js';
import {go} from './navigation.js';
import {views} from './updates.js';

const inRequests = (act) => () => {
  if (state.view !== 'requests') go('requests', log.selected);
  act();
};

// Moves the selection to the next older failure.
function nextFailure() {
  const place = log.placeOf(log.selected);
  const older = log.entries.slice(0, place < 0 ? undefined : place).findLast((entry) => entry.outcome !== 'succeeded');
  if (older) go('requests', older.number);
}

const keys = [
  ['?', 'Show these keys', showHelp],
  ...Object.keys(views).map((view, i) => [String(i + 1), `Go to ${view}`, () => go(view)]),
  ['/', 'Search the requests', inRequests(() => byId('filter-text').focus())],
  ['j', 'Select the next older request', inRequests(() => list.move(1))],
  ['k', 'Select the next newer request', inRequests(() => list.move(-1))],
  ['f', 'Select the next older failure', inRequests(nextFailure)],
  ['p', 'Pause or resume the list', inRequests(() => setPaused(!log.paused))],
  ['x', 'Close the selected request', inRequests(closeDetail)],
];

const others = [
  ['↑ ↓ Page Up Page Down Home End', 'In the list: move the selection'],
  ['Enter', 'In the list: go to the selected request'],
  ['Escape', 'In a request: back to the list; in a dialog: close it'],
  ['← → Shift Enter', 'In the strip: move, choose an interval, show it'],
];

function showHelp() {
  const dialog = byId('dialog');
  const opener = document.activeElement;
  dialog.replaceChildren(el('form', {method: 'dialog'},
    el('div', {class: 'card-head'}, el('h2', {id: 'dialog-title'}, 'Keyboard shortcuts'),
      button('Close', () => dialog.close(), {class: 'small', 'aria-label': 'Close the dialog'})),
    el('table', {class: 'pairs'}, el('tbody', {}, [...keys, ...others].map(([key, what]) =>
      el('tr', {}, el('th', {scope: 'row'}, el('kbd', {}, key)), el('td', {}, what)))))));
  dialog.addEventListener('close', () => opener.isConnected && opener.focus(), {once: true});
  dialog.showModal();
}

export function wireShortcuts() {
  byId('help').addEventListener('click', showHelp);
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || byId('dialog').open) return;
    if (event.target.closest('input, select, textarea')) return;
    const found = keys.find(([key]) => key === event.key);
    if (!found) return;
    event.preventDefault();
    found[2]();
  });
}
