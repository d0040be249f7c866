// Pages of one form, behind links that are used once: the token is in the link's fragment, which no server or log gets.
import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';

export interface SmallPage {
  title: string;
  intro: string;
  fields: readonly Field[];
  button: string;
  /** What it says once it has worked. */
  done: string;
  /** The operation that it calls, with the filled-in fields and the token under the name it has there. */
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

/** All parts are texts of ours, never of a request. */
export function servePage(options: SmallPage): RequestHandler {
  const script = scriptOf(options);
  const html = htmlOf(options, script);
  const policy = policyOf(script);
  return (_request, response) => {
    response.setHeader('Content-Security-Policy', policy);
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.setHeader('Cache-Control', 'no-store');
    response.type('html').send(html);
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
  const fault = await send([...new FormData(form)].filter(([, value]) => value !== ''));
  button.disabled = false;
  note.textContent = fault ?? ${JSON.stringify(done)};
  if (fault === undefined) { form.hidden = true; history.replaceState(null, '', location.pathname); }
});

/** Why it did not work; undefined when it did. */
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
    return 'Gantry can not be reached. Check that it runs, then try again.';
  }
  if (response.ok) return undefined;
  const problem = await response.json().catch(() => undefined);
  return problem?.detail ?? 'The answer had status ' + response.status + ' and gave no reason. Try again.';
}`;

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 26rem; margin: 12vh auto; padding: 0 1rem; }
form:not([hidden]) { display: grid; gap: 1rem; }
label { display: grid; gap: .25rem; }
input, button { font: inherit; padding: .5rem .75rem; }
output { display: block; margin-top: 1rem; }`;

const htmlOf = ({ title, intro, fields, button }: SmallPage, script: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${intro}</p>
<form>
${fields.map(inputOf).join('\n')}
<button>${button}</button>
</form>
<output role="status"></output>
<p><a href="/api/docs">API documentation</a></p>
</main>
<script>${script}</script>
</body>
</html>
`;

function inputOf({ name, label, type, autocomplete, isRequired, minLength }: Field): string {
  const limits = minLength === undefined ? '' : ` minlength="${minLength}" maxlength="200"`;
  return `<label>${label}
<input name="${name}" type="${type}" autocomplete="${autocomplete}"${limits}${isRequired ? ' required' : ''}></label>`;
}

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const policyOf = (script: string) =>
  [
    `default-src 'none'`,
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    `connect-src 'self'`,
    `img-src data:`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
