// The web page of tally-fake: connects the parts, and starts.

import {byId, sure, toast} from './elements.js';
import {call, operation, perform, state} from './control.js';
import {choose, chooseFirst, loadAccounts, switchAccount} from './accounts.js';
import {wireClock} from './clock.js';
import {closeDetail} from './detail.js';
import {exportHar, exports} from './export.js';
import {wireFilters} from './filters.js';
import {openForm} from './forms.js';
import {list, listKeys} from './list.js';
import {go, readHash, show} from './navigation.js';
import {showLog} from './requests.js';
import {wireShortcuts} from './shortcuts.js';
import {wireStrip} from './strip.js';
import {wireTheme} from './theme.js';
import {linkState, wireUpdates} from './updates.js';
import {wireFaults} from './views/faults.js';
import {wireObjects} from './views/objects.js';
import {drawOperations, wireService} from './views/service.js';

function wireRequests() {
  const frame = byId('list');
  frame.addEventListener('scroll', () => requestAnimationFrame(() => list.draw()));
  frame.addEventListener('keydown', listKeys);
  frame.addEventListener('click', (event) => {
    const row = event.target.closest('.row');
    if (row) go('requests', Number(row.dataset.number));
  });
  byId('detail').addEventListener('keydown', (event) => event.key === 'Escape' && closeDetail());
  byId('clear-log').addEventListener('click', async () => {
    if (sure('Remove all requests from the log?') && await perform('The log is empty', 'DELETE', '/_fake/requests')) await showLog();
  });
  byId('export').hidden = !exports();
  byId('export').addEventListener('click', exportHar);
  window.addEventListener('resize', () => list.redraw());
}

function wireForms() {
  for (const each of document.querySelectorAll('[data-form]')) {
    each.hidden = !operation(each.dataset.form);
    each.addEventListener('click', () => openForm(each.dataset.form));
  }
}

function wire() {
  byId('skip').addEventListener('click', (event) => {
    event.preventDefault();
    byId('main').focus();
  });
  byId('account').addEventListener('change', switchAccount);
  byId('mode').addEventListener('change', switchAccount);
  for (const part of [wireRequests, wireForms, wireClock, wireFilters, wireStrip, wireFaults, wireObjects, wireService, wireShortcuts, wireUpdates]) part();
  window.addEventListener('popstate', show);
  window.addEventListener('hashchange', show);
}

async function start() {
  wireTheme();
  linkState('', 'Connecting');
  const [control, description, machines] = await Promise.all([
    call('GET', 'control.openapi.json'), call('GET', '/_fake/description'), call('GET', '/_fake/state_machine'), loadAccounts()]);
  state.paths = control.paths;
  state.schemas = control.components.schemas;
  state.description = description;
  state.machines = machines.state_machines;
  wire();
  drawOperations();
  const {account = state.accounts[0], live} = readHash();
  if (account) await choose(account, live);
  else await chooseFirst();
}

start().catch((problem) => {
  linkState('lost', problem.message);
  toast(problem.message, true);
});
