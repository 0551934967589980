// Sends a request again: from a shell, as a command for curl, or from this page.

import {copy, sure, toast} from './elements.js';
import {loadAccounts} from './accounts.js';
import {keyOf, state} from './control.js';
import {go} from './navigation.js';
import {log} from './log.js';
import {receive} from './requests.js';

// Headers that the client adds by itself, or that belong to its connection.
const ofClient = /^(host|connection|content-length|accept-encoding|accept|user-agent|authorization|transfer-encoding|expect|te|tally-call|origin|referer|cookie|cache-control|pragma|accept-language|dnt|sec-.*|tally-fake-.*)$/i;
const headersOf = (entry) => (entry.headers || []).filter((each) => !ofClient.test(each.name));
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
const targetOf = (entry) => entry.url.replace(/^https?:\/\/[^/]*/, '');

// The key stays out of the command unless it is wanted there.
function curlOf(entry, key) {
  const parts = ['curl -sS'];
  if (entry.method !== (entry.body ? 'POST' : 'GET')) parts.push(`-X ${entry.method}`);
  parts.push(quoted(location.origin + targetOf(entry)));
  parts.push(key ? `-H ${quoted(`Authorization: Bearer ${key}`)}` : '-H "Authorization: Bearer $TALLY_API_KEY"');
  for (const {name, value} of headersOf(entry)) parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (entry.body) parts.push(`--data-raw ${quoted(entry.body)}`);
  return parts.join(' \\\n  ');
}

// The account whose key sent the request. The log has only the end of that key. The log does not name a platform that
// acted for another account, so the account that is shown takes the place of the platform.
export function senderOf(entry) {
  const actedForAnother = (entry.headers || []).some((each) => /^service-account$/i.test(each.name));
  return actedForAnother || !entry.account ? state.account.id : entry.account;
}

// Returns nothing and shows a message if the account was deleted, or created by a request: its key is then unknown.
async function keyFor(entry) {
  const sender = senderOf(entry);
  await loadAccounts().catch(() => {});
  const known = state.accounts.find((each) => each.id === sender);
  if (!known) toast(`No key of ${sender}, which sent the request, is known.`, true);
  return known && keyOf(known, entry.livemode);
}

export async function copyCurl(entry, withKey) {
  const key = withKey ? await keyFor(entry) : null;
  if (withKey && !key) return;
  await copy(curlOf(entry, key), withKey ? 'Copied for curl, with the key' : 'Copied for curl. It takes the key from $TALLY_API_KEY.');
}

export async function sendAgain(entry) {
  if (entry.method !== 'GET' && !sure(`Send ${entry.method} ${targetOf(entry)} again? It may change objects.`)) return;
  const key = await keyFor(entry);
  if (!key) return;
  const headers = {Authorization: `Bearer ${key}`};
  for (const {name, value} of headersOf(entry)) headers[name] = value;
  try {
    const response = await fetch(targetOf(entry), {method: entry.method, headers, body: entry.body || undefined});
    await response.text();
    toast(`Sent again: status ${response.status}`, !response.ok);
  } catch {
    toast('Sent again: no response', true);
  }
  await receive();
  const sent = log.entries.findLast((each) => each.number > entry.number && each.url === targetOf(entry));
  if (sent && state.view === 'requests') go('requests', sent.number);
}
