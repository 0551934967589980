// Updates: a stream of changes if the server has one, else polling.

import {byId, toast} from './elements.js';
import {call, load, operation, state, unknownKey} from './control.js';
import {loadClock} from './clock.js';
import {chooseFirst} from './accounts.js';
import {log} from './log.js';
import {receive, sumUp} from './requests.js';
import {loadOverview} from './views/overview.js';
import {loadLimits} from './views/limits.js';
import {loadObjects} from './views/objects.js';
import {loadFaults, showFaults} from './views/faults.js';
import {loadService} from './views/service.js';

export const views = {overview: loadOverview, requests: async () => {}, limits: loadLimits, objects: loadObjects, faults: loadFaults, service: loadService};
let loading = null;
let again = false;

// Loads the visible view. Calls during a load cause one more.
export async function refresh() {
  if (loading) {
    again = true;
    return loading;
  }
  loading = (async () => {
    try {
      if (state.account || state.view === 'service') await views[state.view]();
      if (state.view !== 'faults' && state.account) showFaults((await call('GET', '/_fake/faults')).faults);
    } catch (problem) {
      if (problem.status === unknownKey) await chooseFirst();
      else if (problem.status) toast(problem.message, true);
    }
  })();
  await loading;
  loading = null;
  if (again) {
    again = false;
    await refresh();
  }
}

export function linkState(kind, text) {
  const shown = byId('link-state');
  shown.className = `link-state ${kind}`;
  if (shown.textContent !== text) shown.textContent = text;
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
let listening = new AbortController();

export const stopListening = () => listening.abort();

export async function listen() {
  listening.abort();
  const mine = (listening = new AbortController());
  const streams = Boolean(operation('GET /_fake/events'));
  while (!mine.signal.aborted) {
    try {
      if (streams) await stream(mine.signal);
      else await poll();
    } catch (problem) {
      if (mine.signal.aborted) return;
      linkState('lost', problem.status ? problem.message : 'Disconnected');
      if (problem.status === unknownKey) await chooseFirst().catch(() => {});
    }
    await pause(1000);
  }
}

async function poll() {
  await Promise.all([receive(), sumUp(), loadClock(), refresh()]);
  linkState('connected', 'Polling');
}

// Reads events until the connection ends. The events name only what has changed: to get each request of a busy service
// would slow it down.
async function stream(signal) {
  const response = await load('/_fake/events?requests=false', signal);
  linkState('connected', 'Connected');
  // What happened before the stream began.
  const [isNew] = await Promise.all([receive(), loadClock(), refresh()]);
  if (isNew || !log.summary) await sumUp();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = '';;) {
    const {done, value} = await reader.read();
    if (done) return;
    const parts = (rest + value).split(/\r?\n\r?\n/);
    rest = parts.pop();
    handleEvents(parts.map(eventOf));
  }
}

function eventOf(text) {
  const event = {name: 'message', data: ''};
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('event:')) event.name = line.slice(6).trim();
    if (line.startsWith('data:')) event.data += line.slice(5).replace(/^ /, '');
  }
  return event;
}

function handleEvents(events) {
  const changed = new Set(events.filter((event) => event.name === 'change').flatMap((event) => JSON.parse(event.data).changed));
  if (changed.has('clock')) loadClock().catch(() => {});
  if (changed.size) laterRefresh();
  if (!changed.has('log')) return;
  laterReceive();
  laterSumUp();
}

const whenBusy = 1000;

// Acts at once after a quiet time, and then at most so often; rarely if requests arrive in large numbers.
function atMostEvery(milliseconds, action) {
  let busy = false;
  let wanted = false;
  const act = async () => {
    busy = true;
    wanted = false;
    await action().catch(() => {});
    await pause(log.isBusy ? Math.max(milliseconds, whenBusy) : milliseconds);
    busy = false;
    if (wanted) act();
  };
  return () => {
    wanted = true;
    if (!busy) act();
  };
}

const laterRefresh = atMostEvery(500, async () => {
  if (!document.hidden) await refresh();
});
const laterReceive = atMostEvery(250, async () => {
  if (state.view === 'requests' && !document.hidden) await receive();
});
const laterSumUp = atMostEvery(1000, async () => {
  if (!document.hidden) await sumUp();
});

export function wireUpdates() {
  // Time passes, so limits free up. Other services come and go without events in this one's stream.
  setInterval(() => {
    if (!document.hidden && !['requests', 'objects'].includes(state.view)) laterRefresh();
  }, 1000);
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || !state.account) return;
    receive().catch(() => {});
    sumUp().catch(() => {});
    refresh();
  });
}
