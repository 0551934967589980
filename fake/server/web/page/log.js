// The part of the log that the page has loaded: the newest requests that pass the filters, and older ones as far as the
// list was scrolled. How many there are in all, and how they ended, is summed up by the service.

import {call} from './control.js';

const pageSize = 100;
const most = 20_000;  // that stay loaded
const beyondAll = Number.MAX_SAFE_INTEGER;

export const emptyFilters = () => ({operation: '', outcome: '', account: '', text: '', from: '', until: ''});

export const log = {
  entries: [],  // loaded, oldest first
  byNumber: new Map(),
  hasOlder: false,
  summary: null,
  paused: false,
  isBusy: false,  // more than a page arrived at once
  filters: emptyFilters(),
  selected: null,
  generation: 0,  // of the filters and of the log itself: what was asked for before is not used
  loading: null,

  get newest() {
    return this.entries.length ? this.entries[this.entries.length - 1] : null;
  },

  get isFiltered() {
    return Object.values(this.filters).some(Boolean);
  },

  // The parameters of the control API that select what the filters select.
  query(more = {}) {
    const {operation, outcome, account, text, from, until} = this.filters;
    const query = new URLSearchParams(more);
    if (operation === noOperation) query.set('has_operation', 'false');
    else if (operation) query.set('operation', operation);
    if (outcome === 'fault') query.set('faulted', 'true');
    else if (/^\d+$/.test(outcome)) query.set('status', outcome);
    else if (outcome) query.set('outcome', outcome);
    for (const [name, value] of Object.entries({account, text, from, until})) if (value) query.set(name, value);
    return query;
  },

  forget() {
    ++this.generation;
    this.entries = [];
    this.byNumber.clear();
    this.hasOlder = false;
    this.loading = null;
  },

  // Loads the newest page instead of what was loaded. Returns whether it is still wanted.
  async load() {
    const generation = ++this.generation;
    const found = await this.page(beyondAll);
    if (generation !== this.generation) return false;
    this.forget();
    this.addAll(found.requests);
    this.hasOlder = found.has_more;
    return true;
  },

  page(before) {
    return call('GET', `/_fake/requests?${this.query({responses: false, limit: pageSize, ending_before: before})}`);
  },

  async loadOlder() {
    if (!this.hasOlder || this.loading) return this.loading;
    const {generation} = this;
    this.loading = (async () => {
      const found = await this.page(this.entries[0].number);
      if (generation !== this.generation) return 0;
      const added = found.requests.filter((entry) => this.keep(entry));
      this.entries = [...added, ...this.entries];
      this.hasOlder = found.has_more;
      return added.length;
    })();
    try {
      return await this.loading;
    } finally {
      this.loading = null;
    }
  },

  // Loads what has arrived. If that is more than a page, only the newest page is kept, so that a busy service costs no
  // more than a quiet one. Returns the new entries, or null if the list has begun anew: then, too, if the log was cleared
  // or restored.
  async loadNewer() {
    const {generation, newest} = this;
    if (!newest) return (await this.load()) ? this.entries : [];
    const query = this.query({responses: false, limit: pageSize + 1, starting_after: newest.number - 1});
    const found = this.isBusy ? null : await call('GET', `/_fake/requests?${query}`);
    if (generation !== this.generation) return [];
    const [known, ...newer] = found ? found.requests : [];
    this.isBusy = !found || found.has_more;
    if (!this.isBusy && known && known.number === newest.number && known.time === newest.time) {
      this.addAll(newer);
      return newer;
    }
    if (!(await this.load())) return [];
    this.isBusy &&= this.entries.length === pageSize && this.entries[0].number > newest.number;
    return null;
  },

  keep(entry) {
    if (this.byNumber.has(entry.number)) return false;
    this.byNumber.set(entry.number, entry);
    return true;
  },

  addAll(entries) {
    for (const entry of entries) if (this.keep(entry)) this.entries.push(entry);
    if (this.entries.length <= most) return;
    for (const entry of this.entries.splice(0, this.entries.length - most / 2)) this.byNumber.delete(entry.number);
    this.hasOlder = true;
  },

  // The place of a number in the loaded entries; -1 if it is not loaded.
  placeOf(number) {
    let [low, high] = [0, this.entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.entries[middle].number < number) low = middle + 1;
      else high = middle;
    }
    return low < this.entries.length && this.entries[low].number === number ? low : -1;
  },

  // The latest loaded entry before this one that fits, as long as they are in reach.
  earlierThan(entry, isInReach, fits) {
    for (let i = this.placeOf(entry.number) - 1; i >= 0 && isInReach(this.entries[i]); --i)
      if (fits(this.entries[i])) return this.entries[i];
    return null;
  },

  async sumUp(spans) {
    const {generation} = this;
    const summary = await call('GET', `/_fake/requests/summary?${this.query({spans})}`);
    if (generation === this.generation) this.summary = summary;
    return generation === this.generation;
  },
};

export const noOperation = ' none';  // in the filter; no operation has this name
