// Which account, and which of its modes, the page shows.

import {byId, options} from './elements.js';
import {call, isShown, state} from './control.js';
import {loadClock} from './clock.js';
import {emptyFilters, log} from './log.js';
import {list} from './list.js';
import {showLog} from './requests.js';
import {go, hashOf, linkTabs} from './navigation.js';
import {linkState, listen, refresh, stopListening} from './updates.js';
import {chosen} from './views/objects.js';

export async function loadAccounts() {
  state.accounts = (await call('GET', '/_fake/accounts')).accounts;
  options(byId('account'), state.accounts.map((account) => [account.id, account.id]), state.account ? state.account.id : '');
}

// Shows the first account, if the one shown is gone: it was deleted, or the server was restarted.
export async function chooseFirst() {
  state.account = null;
  await loadAccounts();
  if (state.accounts.length) {
    await choose(state.accounts[0], state.live);
    return;
  }
  stopListening();
  log.forget();
  list.redraw();
  linkState('lost', 'No account');
  go('service');
}

export async function choose(account, live) {
  state.account = account;
  state.live = live;
  state.clock = null;
  state.closedByHand = false;
  byId('account').value = account.id;
  byId('mode').value = live ? 'live' : 'sandbox';
  document.body.classList.toggle('live-mode', live);
  chosen.object = state.view === 'objects' ? chosen.object : null;
  log.filters = emptyFilters();
  byId('filter-text').value = '';
  linkTabs();
  stopListening();
  await Promise.all([showLog(), loadClock()]);
  if (log.selected !== null && location.hash.includes(`/requests/${log.selected}`)) list.select(log.selected);
  refresh();
  listen();
}

export function switchAccount() {
  const account = state.accounts.find((each) => each.id === byId('account').value);
  if (!isShown(account)) log.selected = null;
  state.account = account;
  state.live = byId('mode').value === 'live';
  history.pushState(null, '', hashOf(state.view));
  return choose(account, state.live);
}
