// The status page for people: shows GET /api/public/status, refreshed every ten seconds.
import type { RequestHandler } from 'express';
import { createPage } from './page.ts';

const style = `
:root { color-scheme: light dark; --back: #f4f5f7; --card: #fff; --line: #d9dde3; --text: #1b1f24; --dim: #57606a;
  --good: #116329; --wait: #7d4e00; --bad: #a40e26; --link: #0550ae; font: 16px/1.5 system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { :root { --back: #0d1117; --card: #161b22; --line: #30363d; --text: #e6edf3;
  --dim: #9da7b3; --good: #56d364; --wait: #e3b341; --bad: #ff7b72; --link: #79c0ff; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); }
header, main, footer { max-width: 60rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: 2rem; }
h1 { margin: 0; font-size: 1.6rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 0; font-size: 1.1rem; line-height: 1.3; overflow-wrap: anywhere; }
p { margin: .25rem 0; overflow-wrap: anywhere; white-space: pre-line; }
a { color: var(--link); }
.dim { color: var(--dim); }
dl { margin: 0; }
dt { color: var(--dim); font-size: .85rem; }
dd { margin: 0; overflow-wrap: anywhere; }
.sums { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: .75rem; margin: 1.25rem 0; }
.sums div, li { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: .75rem 1rem; }
.sums div { padding: .75rem min(1rem, 3vw); }
.sums dd { font-size: 1.5rem; font-weight: 600; font-variant-numeric: tabular-nums; }
ul { list-style: none; margin: 0; padding: 0; display: grid; gap: .75rem;
  grid-template-columns: repeat(auto-fill, minmax(min(26rem, 100%), 1fr)); }
li .top { display: flex; gap: .75rem; justify-content: space-between; align-items: baseline; }
.state { font-weight: 600; white-space: nowrap; }
.state::before { content: ''; display: inline-block; width: .6rem; height: .6rem; margin-right: .4rem;
  border-radius: 50%; background: currentColor; }
.online { color: var(--good); }
.starting { color: var(--wait); }
.offline { color: var(--bad); }
li dl { display: grid; grid-template-columns: repeat(3, 1fr); gap: .5rem .75rem; margin-top: .5rem;
  font-variant-numeric: tabular-nums; }
li .wide { grid-column: 1 / -1; }
.note { margin: 1rem 0; }
.note:empty { margin: 0; }
button { font: inherit; padding: .5rem 1rem; border-radius: .5rem; border: 1px solid var(--line);
  background: var(--card); color: var(--text); margin-top: 1rem; }
footer { padding-top: 1.5rem; padding-bottom: 2rem; font-size: .85rem; }`;

const body = `<header>
<h1>Server status</h1>
<p id="about" class="dim"></p>
</header>
<main>
<dl class="sums" id="sums"></dl>
<p id="note" class="note" role="status">Loading the status…</p>
<ul id="servers"></ul>
<button id="more" hidden>Show more servers</button>
</main>
<footer><p class="dim">Updates every 10 seconds. Times are in the time zone of your device. <span id="updated"></span></p></footer>`;

/** Response data goes into text nodes, never into markup. */
const script = `
const everyMs = 10_000;
const byId = (id) => document.getElementById(id);
const subdomain = decodeURIComponent(location.pathname.split('/')[2] ?? '');
let pages = 1;
let shown = '';
let requestCount = 0;

function element(name, { text, ...attributes }, children = []) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  made.append(...children);
  return made;
}
const term = (name, value, kind = '') =>
  element('div', { class: kind }, [element('dt', { text: name }), element('dd', { text: value })]);
const count = (value) => value.toLocaleString('en');
const nothing = '–';
const percent = (value) => (value === null ? nothing : (value === 100 ? '100' : value.toFixed(2)) + ' %');
const time = (value) => new Date(value).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });
const stateNames = { online: 'Online', starting: 'Starting', offline: 'Offline' };
const wipeNames = { map: 'map', blueprints: 'blueprints', full: 'map and blueprints' };

function wipesOf({ last, next_at: next }) {
  const terms = [];
  if (last !== null) terms.push(term('Last wipe', time(last.finished_at) + ', ' + wipeNames[last.kind], 'wide'));
  if (next !== null) terms.push(term('Next wipe', time(next), 'wide'));
  return terms;
}

function card(server) {
  const top = element('div', { class: 'top' }, [
    element('h2', { text: server.name }),
    element('span', { class: 'state ' + server.status, text: stateNames[server.status] }),
  ]);
  const players = server.players === null ? nothing
    : count(server.players) + (server.max_players === null ? '' : ' of ' + count(server.max_players))
      + (server.queued ? ', ' + count(server.queued) + ' queued' : '');
  const facts = element('dl', {}, [
    term('Players', players),
    term('Map', server.map ?? nothing),
    term('FPS', server.fps === null ? nothing : server.fps.toFixed(0)),
    term('Uptime 24 h', percent(server.uptime.last_24_hours)),
    term('7 days', percent(server.uptime.last_7_days)),
    term('30 days', percent(server.uptime.last_30_days)),
    ...wipesOf(server.wipes),
  ]);
  const lines = [];
  if (subdomain === '') {
    const name = element('a', { href: '/status/' + encodeURIComponent(server.subdomain), text: server.license_name });
    lines.push(element('p', { class: 'dim' }, [name]));
  }
  if (server.description !== null) lines.push(element('p', { text: server.description }));
  return element('li', {}, [top, ...lines, facts]);
}

function show({ platform, license, servers, hasMore }) {
  const online = servers.filter(({ status }) => status === 'online');
  const players = online.reduce((sum, server) => sum + (server.players ?? 0), 0);
  if (license !== null) {
    document.querySelector('h1').textContent = license.name;
    document.title = license.name + ' · Server status';
    byId('about').textContent = license.description ?? '';
  }
  const sums = license === null
    ? [platform.total_servers, platform.online_servers, platform.total_players]
    : [servers.length, online.length, players];
  // The sums cover the servers shown; a plus sign marks that the license has more.
  const more = license !== null && hasMore ? '+' : '';
  const names = ['Servers', 'Online', 'Players'];
  byId('sums').replaceChildren(...names.map((name, index) => term(name, count(sums[index]) + more)));
  byId('servers').replaceChildren(...servers.map(card));
  byId('more').hidden = !hasMore;
  byId('note').textContent = servers.length === 0 ? 'No server is public yet.' : '';
}

async function read() {
  const servers = [];
  let result;
  let cursor = null;
  for (let page = 0; page < pages; page += 1) {
    const query = new URLSearchParams({ limit: '100' });
    if (subdomain !== '') query.set('subdomain', subdomain);
    if (cursor !== null) query.set('cursor', cursor);
    const response = await fetch('/api/public/status?' + query, { signal: AbortSignal.timeout(8_000) });
    if (response.status === 400 || response.status === 404) return { isMissing: true };
    if (!response.ok) throw new Error('status ' + response.status);
    result = await response.json();
    servers.push(...result.data);
    cursor = result.next_cursor;
    if (cursor === null) break;
  }
  return { platform: result.platform, license: result.license, servers, hasMore: cursor !== null };
}

async function refresh() {
  requestCount += 1;
  const request = requestCount;
  try {
    const found = await read();
    // Ignore a response that arrives after a later request was sent.
    if (request !== requestCount) return;
    byId('updated').textContent = 'Last updated at ' + new Date().toLocaleTimeString('en') + '.';
    const text = JSON.stringify(found);
    if (text === shown) return;
    shown = text;
    if (found.isMissing) {
      byId('note').textContent = 'This status page does not exist.';
      byId('sums').replaceChildren();
      byId('servers').replaceChildren();
    } else show(found);
  } catch {
    if (request !== requestCount) return;
    shown = '';
    byId('note').textContent = 'The status cannot be loaded; the values shown may be out of date.';
  }
}

byId('more').addEventListener('click', () => { pages += 1; void refresh(); });
async function repeat() {
  if (!document.hidden) await refresh();
  setTimeout(repeat, everyMs);
}
document.addEventListener('visibilitychange', () => { if (!document.hidden) void refresh(); });
void repeat();`;

const page = createPage({ title: 'Server status', style, body, script });

export const statusPage: RequestHandler = async (request, response) => {
  response.setHeader('Cache-Control', 'public, max-age=60');
  await page.sendPublic(request, response);
};
