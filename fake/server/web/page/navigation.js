// Navigation: `#/requests/12?account=acct_1&mode=live` links to a request.

import {byId} from './elements.js';
import {isShown, state} from './control.js';
import {choose} from './accounts.js';
import {log} from './log.js';
import {list} from './list.js';
import {drawDetail} from './detail.js';
import {refresh, views} from './updates.js';
import {receive} from './requests.js';
import {chosen} from './views/objects.js';

export function hashOf(view, item) {
  const query = state.account ? `?account=${state.account.id}&mode=${state.live ? 'live' : 'sandbox'}` : '';
  return `#/${view}${item ? `/${encodeURIComponent(item)}` : ''}${query}`;
}

export function go(view, item) {
  const hash = hashOf(view, item);
  if (location.hash === hash && (view !== 'requests' || log.selected === (item || null))) return;
  history[view === state.view ? 'replaceState' : 'pushState'](null, '', hash);
  show();
}

export function linkTabs() {
  for (const link of document.querySelectorAll('.tabs a')) {
    link.setAttribute('href', hashOf(link.dataset.view));
    if (link.dataset.view === state.view) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

// Reads what the address names. Returns the account, if it exists, and the mode.
export function readHash() {
  const [path, query] = location.hash.slice(2).split('?');
  const [view, item] = path.split('/').map(decodeURIComponent);
  const wanted = new URLSearchParams(query || '');
  const before = state.view;
  state.view = views[view] ? view : 'requests';
  if (state.view === 'requests' && (item || before === 'requests')) log.selected = item ? Number(item) : null;
  if (state.view === 'objects') chosen.object = item || null;
  for (const name of Object.keys(views)) byId(`view-${name}`).hidden = name !== state.view;
  linkTabs();
  document.title = `${byId(`view-${state.view}`).getAttribute('aria-label')} – tally-fake`;
  return {account: state.accounts.find((each) => each.id === wanted.get('account')),
    live: wanted.has('mode') ? wanted.get('mode') === 'live' : state.live};
}

export function show() {
  const {account, live} = readHash();
  if (account && (!isShown(account) || live !== state.live)) {
    choose(account, live);
    return;
  }
  if (state.view === 'requests') {
    list.select(log.selected);
    drawDetail();
    receive().catch(() => {});
  }
  refresh();
}
