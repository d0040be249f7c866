// The scripts of the pages of the reference. Pages are complete without them; they add search, copying and the session.
import { createEngine, findPages } from './find-pages.ts';

/**
 * Asks before it takes the credential of a link: its author may want the reader to work in the author's
 * account, and to enter secrets there. The server names the account, the link does not. Ignoring it is the default.
 */
const offerCredential = `async (token, keep) => {
  const endOf = (text) => '…' + text.slice(-4);
  const ask = async (path) => {
    const response = await fetch(path, { headers: { Authorization: 'Bearer ' + token }, credentials: 'omit' });
    return response.ok ? response.json() : undefined;
  };
  const holder = async () => {
    if (token.startsWith('gantry_test_')) return 'the sandbox “' + (await ask('/api/sandbox')).name + '”';
    if (token.startsWith('gantry_')) return 'an API key that begins with ' + token.slice(0, 11);
    return 'the user ' + (await ask('/auth/me')).email;
  };
  const name = await holder().catch(() => 'an account that could not be read');
  if (document.body === null) await new Promise((done) => document.addEventListener('DOMContentLoaded', done));
  const known = sessionStorage.getItem('gantry.docs.token');
  const element = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });
  const dialog = element('dialog', '');
  const title = element('h2', 'Use the credential of this link?');
  title.id = 'credential-title';
  dialog.setAttribute('aria-labelledby', title.id);
  const ignore = element('button', 'Ignore it');
  const use = element('button', 'Use it');
  ignore.autofocus = true;
  use.className = 'quiet';
  ignore.addEventListener('click', () => dialog.close());
  use.addEventListener('click', () => { keep(); dialog.close(); });
  dialog.addEventListener('close', () => dialog.remove());
  const buttons = element('p', '');
  buttons.append(ignore, ' ', use);
  dialog.append(
    title,
    element('p', 'The link that you opened has a credential (' + endOf(token) + ') of ' + name + '. Requests of “Try it” would act there, and what you enter would be stored there.'),
    element('p', 'Use it only if you opened this page from your own panel.' + (known ? ' It would replace the credential ' + endOf(known) + ' of this tab.' : '')),
    buttons,
  );
  document.body.append(dialog);
  dialog.showModal();
}`;

/**
 * Keeps the credential of “Try it” in this browser tab. A web panel passes the token of its session in the fragment,
 * which no server receives; it is removed from the address at once.
 */
export const sessionScript = `
const given = new URLSearchParams(location.hash.slice(1)).get('token');
const describeCredential = () => {
  const known = sessionStorage.getItem('gantry.docs.token');
  const link = document.querySelector('#gantry-credential');
  if (link) link.textContent = known ? 'Credential …' + known.slice(-4) : 'Set a credential';
  const session = document.querySelector('.session');
  if (session && known) session.textContent = 'Session';
};
if (document.body === null) document.addEventListener('DOMContentLoaded', describeCredential);
else describeCredential();
if (given) {
  history.replaceState(null, '', location.pathname + location.search);
  if (given !== sessionStorage.getItem('gantry.docs.token'))
    (${offerCredential})(given, () => {
      sessionStorage.setItem('gantry.docs.token', given);
      describeCredential();
      dispatchEvent(new Event('gantry-credential'));
    });
}
// Scalar opens what the fragment names.
const fragment = document.currentScript?.dataset.fragment;
if (fragment && !location.hash) history.replaceState(null, '', location.pathname + location.search + '#' + fragment);
`;

export const docsScript = (searchModule: string, searchData: string) => `${sessionScript}
const input = document.querySelector('.search input');
const list = document.querySelector('#results');

${createEngine.toString()}
${findPages.toString()}
let engine;
const load = () => engine ??= Promise.all([
  import(${JSON.stringify(searchModule)}),
  fetch(${JSON.stringify(searchData)}).then((response) => response.json()),
]).then(([{ default: MiniSearch }, documents]) => createEngine(MiniSearch, documents));

let selected = -1;
function show(items) {
  selected = -1;
  list.replaceChildren(...items);
  list.hidden = items.length === 0;
  input.setAttribute('aria-expanded', String(!list.hidden));
}

function select(index) {
  const options = [...list.querySelectorAll('[role=option]')];
  if (options.length === 0) return;
  selected = (index + options.length) % options.length;
  options.forEach((option, at) => option.setAttribute('aria-selected', String(at === selected)));
  options[selected].scrollIntoView({ block: 'nearest' });
  input.setAttribute('aria-activedescendant', options[selected].id);
}

function option({ id, title, note }, index) {
  const item = document.createElement('li');
  item.role = 'option';
  item.id = 'result-' + index;
  const link = document.createElement('a');
  link.href = id;
  link.tabIndex = -1;
  const small = document.createElement('small');
  small.textContent = note;
  link.append(title, small);
  item.append(link);
  return item;
}

async function search() {
  const text = input.value.trim();
  if (text === '') return show([]);
  const engine = await load();
  if (input.value.trim() !== text) return;
  const found = findPages(engine, text);
  if (found.length > 0) return show(found.map(option));
  const none = document.createElement('li');
  none.textContent = 'Nothing found. Try other words, or browse the areas.';
  show([none]);
}

input.addEventListener('focus', () => void load());
input.addEventListener('input', () => void search());
input.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    select(selected + (event.key === 'ArrowDown' ? 1 : -1));
  } else if (event.key === 'Enter') {
    const target = list.querySelectorAll('a')[Math.max(selected, 0)];
    if (target) location.assign(target.href);
  } else if (event.key === 'Escape') {
    input.value = '';
    show([]);
  }
});
document.addEventListener('keydown', (event) => {
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '');
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  input.focus();
});
document.addEventListener('click', (event) => {
  if (!event.target.closest('.search')) show([]);
});

for (const block of document.querySelectorAll('pre')) {
  const button = document.createElement('button');
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code').textContent.trimEnd());
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  });
  block.append(button);
}
document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest' });
`;

/** The script of the page that holds the credential of “Try it”. */
export const sessionPageScript = (signInPath: string | undefined) => `
const status = document.querySelector('output');
const key = 'gantry.docs.token';
const describe = () => {
  const token = sessionStorage.getItem(key);
  status.textContent = token ? 'This tab has a credential that ends in …' + token.slice(-4) + '.' : 'This tab has no credential.';
};
const keep = (token) => { sessionStorage.setItem(key, token); describe(); };
describe();
addEventListener('gantry-credential', describe);
document.querySelector('#token').addEventListener('submit', (event) => {
  event.preventDefault();
  keep(new FormData(event.target).get('token').trim());
  event.target.reset();
});
document.querySelector('#forget').addEventListener('click', () => { sessionStorage.removeItem(key); describe(); });
const signIn = document.querySelector('#sign-in');
signIn?.addEventListener('submit', async (event) => {
  event.preventDefault();
  const response = await fetch(${JSON.stringify(signInPath ?? '')}, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(new FormData(signIn))),
  }).catch(() => undefined);
  const body = await response?.json().catch(() => undefined);
  const token = body?.session?.access_token;
  if (token) { signIn.reset(); return keep(token); }
  status.textContent = response?.ok
    ? 'The account has a second factor: sign in elsewhere and paste the access token below.'
    : body?.detail ?? 'The server cannot be reached. Try again.';
});
`;
