// What the pages of a store share: their style, and the script parts that call the API and show its responses.
import type { Palette } from './palette.ts';

/** Default colours, for pages of closed stores. */
export const plainTheme = { accent: '#0550ae', background: '#f4f5f7', text: '#1b1f24' };

export const styleOf = (palette: Palette) => `
:root { color-scheme: ${palette.scheme}; --back: ${palette.background}; --card: ${palette.card};
  --line: ${palette.line}; --text: ${palette.text}; --dim: ${palette.dim}; --link: ${palette.link};
  --button: ${palette.button}; --on-button: ${palette.onButton}; --button-edge: ${palette.buttonEdge};
  font: 16px/1.5 system-ui, sans-serif; }
${layout}`;

const layout = `* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); }
header, main, footer { max-width: 72rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: 2rem; }
footer { padding-top: 1.5rem; padding-bottom: 2rem; font-size: .85rem; }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; overflow-wrap: anywhere; }
h2 { margin: 0; font-size: 1.25rem; line-height: 1.3; overflow-wrap: anywhere; }
h3 { margin: 0; font-size: 1.05rem; line-height: 1.3; overflow-wrap: anywhere; }
p { margin: .25rem 0; overflow-wrap: anywhere; white-space: pre-line; }
a { color: var(--link); }
.dim { color: var(--dim); }
.test { border: 2px dashed var(--text); border-radius: .5rem; padding: .5rem .75rem; margin: 1rem 0; font-weight: 600; }
.test:empty { display: none; }
.card, .items > li { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1rem; }
.narrow { max-width: 44rem; }
.narrow .card { margin: 1rem 0; }
.row { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: .75rem; }
#added { position: fixed; bottom: 1rem; left: 50%; translate: -50%; max-width: calc(100% - 2rem); max-height: 40vh;
  overflow: hidden; margin: 0; padding: .5rem 1rem; border-radius: .5rem; background: var(--text); color: var(--back);
  pointer-events: none; }
#added { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow-wrap: anywhere; }
#added:empty { display: none; }
.shop { display: grid; gap: 1.5rem; align-items: start; margin-top: 1rem; }
@media (min-width: 60rem) { .shop { grid-template-columns: 1fr 22rem; }
  #basket { position: sticky; top: 1rem; max-height: calc(100vh - 2rem); overflow-y: auto; } }
.shop > * { min-width: 0; }
.category + .category { margin-top: 2rem; }
ul { list-style: none; margin: 0; padding: 0; }
.items { display: grid; gap: 1rem; margin-top: .75rem;
  grid-template-columns: repeat(auto-fill, minmax(min(16rem, 100%), 1fr)); }
.items > li { display: flex; flex-direction: column; gap: .5rem; }
.items img { width: 100%; aspect-ratio: 16 / 9; object-fit: cover; border-radius: .5rem; }
.buy { display: flex; gap: .75rem; align-items: center; justify-content: space-between; margin-top: auto; }
.price { font-size: 1.15rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.lines > li { display: grid; grid-template-columns: 1fr auto; gap: .25rem .75rem; align-items: center;
  padding: .5rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.lines > li > * { min-width: 0; }
.sum { text-align: right; font-variant-numeric: tabular-nums; }
.total { display: flex; justify-content: space-between; font-weight: 600; margin: .75rem 0; }
form:not([hidden]), label.field { display: grid; gap: .75rem; }
label.field { gap: .25rem; }
label.agree { display: flex; gap: .5rem; align-items: start; }
label.agree input { width: 1.25rem; height: 1.25rem; flex: none; }
input { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--dim); border-radius: .5rem;
  padding: .5rem .75rem; width: 100%; }
input[type=number] { width: 5rem; }
button, .button { font: inherit; font-weight: 600; padding: .5rem 1rem; border-radius: .5rem; cursor: pointer;
  border: 1px solid var(--button-edge); background: var(--button); color: var(--on-button); text-decoration: none; }
.button { display: inline-block; }
button.quiet { background: none; border-color: var(--dim); color: var(--text); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
[role=alert]:not(:empty) { border-left: 4px solid var(--text); padding-left: .75rem; font-weight: 600; }
details { margin: .5rem 0; }
.terms { max-height: 20rem; overflow-y: auto; }`;

/** Response data goes into text nodes, or into attributes that cannot execute; never into markup. */
export const commonScript = String.raw`
const byId = (id) => document.getElementById(id);
const subdomain = location.pathname.split('/')[2];
const api = '/api/public-store/' + subdomain;

function element(name, { text, ...attributes } = {}, children = []) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  made.append(...children);
  return made;
}

/** Converts a price to the smallest unit of its currency; a store has one currency. */
const minorOf = ({ amount }) => BigInt(amount.replace('.', ''));

/** Formats the price, or another amount in the smallest unit of its currency. */
function money(price, minor = minorOf(price)) {
  const digits = price.amount.split('.')[1]?.length ?? 0;
  const text = String(minor).padStart(digits + 1, '0');
  const amount = digits === 0 ? text : text.slice(0, -digits) + '.' + text.slice(-digits);
  return new Intl.NumberFormat('en', {
    style: 'currency', currency: price.currency, minimumFractionDigits: digits, maximumFractionDigits: digits,
  }).format(amount);
}
const timesOf = (price, quantity) => minorOf(price) * BigInt(quantity);

const unreachable = 'The store cannot be reached. Try again in a minute.';

/** Returns the response, or the text of the failure. */
async function ask(path, { method = 'GET', body, headers = {} } = {}) {
  let response;
  try {
    response = await fetch(api + path, {
      method, body, headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      signal: AbortSignal.timeout(30_000),
    });
  } catch {
    return { isUncertain: true, fault: unreachable };
  }
  const result = await response.json().catch(() => undefined);
  if (response.ok && result !== undefined) return { result };
  const fault = result?.detail ?? unreachable;
  return { isUncertain: response.status >= 500 || response.ok, code: result?.code, fault };
}`;
