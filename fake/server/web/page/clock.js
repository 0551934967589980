// The clock of the service.

import {byId} from './elements.js';
import {duration} from './text.js';
import {call, perform, state} from './control.js';
import {openForm} from './forms.js';

export const clockState = () => (state.clock.frozen ? 'frozen' : state.clock.running ? 'real time' : 'manual');

export async function loadClock() {
  state.clock = await call('GET', '/_fake/clock');
  state.clockRead = performance.now();
  const tag = byId('clock-state');
  tag.textContent = `UTC, ${clockState()}`;
  tag.classList.toggle('warn', state.clock.frozen);
  byId('freeze').textContent = state.clock.frozen ? 'Thaw' : 'Freeze';
  drawClock();
}

// The time of the service, in milliseconds since 1970.
function serviceTime() {
  const read = Date.parse(state.clock.now.slice(0, 23) + 'Z');
  return state.clock.running && !state.clock.frozen ? read + performance.now() - state.clockRead : read;
}

export const serviceNow = () => new Date(state.clock ? serviceTime() : Date.now()).toISOString();

function drawClock() {
  if (!state.clock) return;
  const text = serviceNow();
  const now = byId('now');
  now.textContent = `${text.slice(0, 10)} ${text.slice(11, 19)}`;
  now.setAttribute('datetime', text);
}

export function drawUntil() {
  if (!state.clock) return;
  for (const each of document.querySelectorAll('time[data-until]')) {
    const left = Date.parse(each.dataset.until.slice(0, 23) + 'Z') - serviceTime();
    const day = each.dataset.until.slice(0, 10) === serviceNow().slice(0, 10) ? '' : each.dataset.until.slice(0, 10) + ' ';
    const text = left > 0 ? `in ${duration(left)} (${day}${each.dataset.until.slice(11, 19)})` : each.dataset.now;
    each.textContent = each.dataset.before + text;
  }
}

async function advance(milliseconds) {
  if (await perform(`The clock is ${duration(milliseconds)} later`, 'POST', '/_fake/clock/advance', {milliseconds})) await loadClock();
}

export function wireClock() {
  for (const each of document.querySelectorAll('[data-advance]')) each.addEventListener('click', () => advance(Number(each.dataset.advance)));
  byId('advance-other').addEventListener('click', () => openForm('POST /_fake/clock/advance'));
  byId('freeze').addEventListener('click', async () => {
    const thaw = state.clock && state.clock.frozen;
    if (await perform(thaw ? 'The clock runs again' : 'The clock is frozen', 'POST', `/_fake/clock/${thaw ? 'thaw' : 'freeze'}`)) await loadClock();
  });
  const menu = byId('menu');
  menu.addEventListener('click', () => menu.setAttribute('aria-expanded', document.body.classList.toggle('menu-open')));
  setInterval(drawClock, 250);
  setInterval(drawUntil, 500);
}
