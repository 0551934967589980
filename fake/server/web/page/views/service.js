// Accounts, snapshots, and every operation of the control API.

import {button, byId, copy, el, renderIfChanged, sure, table} from '../elements.js';
import {words} from '../text.js';
import {mask} from '../masking.js';
import {call, isShown, operation, perform, state} from '../control.js';
import {choose, chooseFirst, loadAccounts} from '../accounts.js';
import {showLog} from '../requests.js';
import {openForm} from '../forms.js';

function secretCell(text) {
  const shown = el('code', {}, `${text.slice(0, 8)}${mask}`);
  const reveal = button('Reveal', () => {
    shown.textContent = text;
    reveal.remove();
  }, {class: 'plain small', 'aria-label': 'Reveal the key'});
  return [shown, ' ', reveal, button('Copy', () => copy(text, 'Key copied'), {class: 'plain small', 'aria-label': 'Copy the key'})];
}

export async function loadService() {
  await loadAccounts();
  const {accounts} = state;
  if (!accounts.some(isShown)) await chooseFirst();
  renderIfChanged(byId('accounts'), [accounts, state.account], () => table(['Account', 'Sandbox key', 'Live key', ''], accounts.map((account) => [
    [el('span', {class: 'mono'}, account.id), isShown(account) ? [' ', el('span', {class: 'tag'}, 'shown')] : null],
    secretCell(account.sandbox_key), secretCell(account.live_key),
    [isShown(account) ? null : button('Show', () => choose(account, state.live), {class: 'small', 'data-key': `show ${account.id}`, 'aria-label': `Show ${account.id}`}), ' ',
      operation('DELETE /_fake/accounts/{id}') && button('Delete', () => removeAccount(account),
        {class: 'small danger', 'data-key': `delete ${account.id}`, 'aria-label': `Delete ${account.id}`})]]), 'No account yet. Create one.'));
  const {snapshots} = state.account && operation('GET /_fake/snapshots') ? await call('GET', '/_fake/snapshots') : {snapshots: []};
  renderIfChanged(byId('snapshots'), snapshots, () => table(['Snapshot', ''], snapshots.map((snapshot) => {
    const number = typeof snapshot === 'object' ? snapshot.snapshot ?? snapshot.id : snapshot;
    return [`Snapshot ${number}`, [
      button('Restore', () => perform(`Snapshot ${number} restored`, 'POST', `/_fake/snapshots/${number}/restore`),
        {class: 'small', 'data-key': `restore ${number}`, 'aria-label': `Restore snapshot ${number}`}), ' ',
      operation('DELETE /_fake/snapshots/{snapshot}') && button('Delete', () => perform(`Snapshot ${number} deleted`, 'DELETE', `/_fake/snapshots/${number}`),
        {class: 'small danger', 'data-key': `delete ${number}`, 'aria-label': `Delete snapshot ${number}`})]];
  }), 'No snapshot yet.'));
}

async function removeAccount(account) {
  if (!sure(`Delete ${account.id} and everything in it?`)) return;
  await perform('Account deleted', 'DELETE', `/_fake/accounts/${account.id}`, undefined, account);
}

// One card for each operation that the control API offers, whatever this page knows about it.
export function drawOperations() {
  const groups = new Map();
  for (const [path, methods] of Object.entries(state.paths))
    for (const [method, described] of Object.entries(methods)) {
      const title = `${method.toUpperCase()} ${path}`;
      const group = path.split('/')[2] || 'page';
      if (!groups.has(group)) groups.set(group, []);
      groups.get(group).push([title, described]);
    }
  const count = [...groups.values()].reduce((sum, all) => sum + all.length, 0);
  byId('operations-title').textContent = `Every operation of the control API (${count})`;
  byId('operations').replaceChildren(...[...groups].map(([group, all]) => el('div', {class: 'card'}, el('h3', {}, words(group)),
    el('ul', {class: 'buttons'}, all.map(([title, described]) => el('li', {},
      button(`${described.summary}…`, () => openForm(title), {class: 'small', title})))))));
}

export function wireService() {
  byId('snapshot').addEventListener('click', () => perform('Snapshot taken', 'POST', '/_fake/snapshots', {}));
  byId('reset').addEventListener('click', async () => {
    if (sure('Restore the initial state of this account’s service?') && await perform('Reset', 'POST', '/_fake/reset', {})) await showLog();
  });
}
