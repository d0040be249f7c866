// Pages behind single-use links: the token is in the URL fragment, which no server or log receives.
import type { RequestHandler } from 'express';
import { createPage } from './page.ts';

export interface SmallPage {
  title: string;
  intro: string;
  fields: readonly Field[];
  button: string;
  /** The text after success, or a choice of two texts by a field of the response. */
  done: string | { field: string; ifTrue: string; ifFalse: string };
  /** The operation to call, and the name of the token among its fields. */
  operation: { path: string; tokenName: string };
}

interface Field {
  name: string;
  label: string;
  type: 'email' | 'password';
  autocomplete: string;
  isRequired: boolean;
  minLength?: number;
}

/** All parts are our own texts, never from a request. */
export function servePage(options: SmallPage): RequestHandler {
  const page = createPage({ title: options.title, style, body: bodyOf(options), script: scriptOf(options) });
  return async (request, response) => {
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.setHeader('Cache-Control', 'no-store');
    await page.sendPublic(request, response);
  };
}

const scriptOf = ({ done, operation }: SmallPage) => `
const form = document.querySelector('form');
const note = document.querySelector('output');
const button = document.querySelector('button');
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  button.disabled = true;
  note.textContent = '';
  const { fault, result } = await send([...new FormData(form)].filter(([, value]) => value !== ''));
  button.disabled = false;
  note.textContent = fault ?? ${doneOf(done)};
  if (fault === undefined) { form.hidden = true; history.replaceState(null, '', location.pathname); }
});

/** Returns the response, or the text of the failure. */
async function send(fields) {
  let response;
  try {
    response = await fetch(${JSON.stringify(operation.path)}, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ${operation.tokenName}: location.hash.slice(1), ...Object.fromEntries(fields) }),
      signal: AbortSignal.timeout(30_000),
    });
  } catch {
    return { fault: 'Gantry cannot be reached. Check that the server is running, then try again.' };
  }
  const result = await response.json().catch(() => undefined);
  if (response.ok) return { result };
  const fault = result?.detail ?? 'The request failed with status ' + response.status + '. Try again.';
  return { fault };
}`;

/** Converts `done` to a JavaScript expression for the page's script. */
const doneOf = (done: SmallPage['done']) =>
  typeof done === 'string'
    ? JSON.stringify(done)
    : `(result?.${done.field} ? ${JSON.stringify(done.ifTrue)} : ${JSON.stringify(done.ifFalse)})`;

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 26rem; margin: 12vh auto; padding: 0 1rem; }
form:not([hidden]) { display: grid; gap: 1rem; }
label { display: grid; gap: .25rem; }
input, button { font: inherit; padding: .5rem .75rem; }
output { display: block; margin-top: 1rem; }`;

const bodyOf = ({ title, intro, fields, button }: SmallPage) => `<main>
<h1>${title}</h1>
<p>${intro}</p>
<form>
${fields.map(inputOf).join('\n')}
<button>${button}</button>
</form>
<output role="status"></output>
<p><a href="/api/docs">API documentation</a></p>
</main>`;

function inputOf({ name, label, type, autocomplete, isRequired, minLength }: Field): string {
  const limits = minLength === undefined ? '' : ` minlength="${minLength}" maxlength="200"`;
  return `<label>${label}
<input name="${name}" type="${type}" autocomplete="${autocomplete}"${limits}${isRequired ? ' required' : ''}></label>`;
}
