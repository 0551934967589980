// What arrives in the log: it is loaded, shown and announced.

import {announce, byId} from './elements.js';
import {number, plural} from './text.js';
import {describe, nameOf} from './outcome.js';
import {call, state} from './control.js';
import {log} from './log.js';
import {isNarrow, list} from './list.js';
import {bars, drawStrip} from './strip.js';
import {drawFilters, drawHead} from './filters.js';
import {drawDetail, noteArrivals} from './detail.js';

const failures = ['limited', 'refused', 'failed', 'unanswered'];

// Loads the newest requests that were not loaded before. Returns whether there were any.
export async function receive() {
  if (log.paused) return false;
  const added = await log.loadNewer();
  if (added === null) {
    list.redraw();
  } else if (added.length) {
    list.draw(added.length);
    tell(added);
    noteArrivals(added);
  }
  if (log.selected === null && log.entries.length && !state.closedByHand) selectFailure();
  return added === null || added.length > 0;
}

export async function sumUp() {
  if (!(await log.sumUp(bars))) return;
  drawHead();
  drawStrip();
  drawFilters();
}

// Shows the log anew: of another account, or after it was cleared.
export async function showLog() {
  log.summary = null;
  log.paused = false;
  if (!(await log.load())) return;
  byId('list').scrollTop = 0;
  list.redraw();
  requestAnimationFrame(() => performance.mark('log shown'));
  await sumUp();
  drawDetail();
  if (log.selected === null) await selectFailure();
}

// Selects the newest failure, or the newest request if none failed, unless the user has chosen one. On a narrow screen it
// would hide the list.
async function selectFailure() {
  if (isNarrow() || state.view !== 'requests') return;
  const {generation} = log;
  let found = log.entries.findLast((entry) => entry.outcome !== 'succeeded');
  if (!found && log.hasOlder) {
    const pages = await Promise.all(failures.map((outcome) =>
      call('GET', `/_fake/requests?${log.query({limit: 1, responses: false, ending_before: Number.MAX_SAFE_INTEGER, outcome})}`)));
    found = pages.flatMap((page) => page.requests).sort((a, b) => b.number - a.number)[0];
  }
  found ??= log.newest;
  if (!found || log.selected !== null || generation !== log.generation) return;
  log.selected = found.number;
  list.draw();
  drawDetail(found);
}

// Tells screen readers about new requests, at most once a second.
let untold = [];
let tellTimer = 0;

function tell(entries) {
  untold.push(...entries);
  if (tellTimer) return;
  tellTimer = setTimeout(() => {
    tellTimer = 0;
    const bad = untold.filter((entry) => entry.outcome !== 'succeeded').length;
    announce(untold.length === 1 ? `New request: ${nameOf(untold[0])}, ${describe(untold[0])}`
      : `${plural(untold.length, 'new request')}, ${number(bad)} of them not successful`);
    untold = [];
  }, 1000);
}
