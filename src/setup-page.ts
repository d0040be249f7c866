// The page behind the one-time setup link: it creates the first user with the token in the link's fragment.
import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';

const script = `
const form = document.querySelector('form');
const note = document.querySelector('output');
const button = document.querySelector('button');
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  button.disabled = true;
  note.textContent = '';
  const fault = await createUser(Object.fromEntries(new FormData(form)));
  button.disabled = false;
  note.textContent = fault ?? 'Done. You can sign in now: POST /auth/login, as /api/docs describes.';
  if (fault === undefined) { form.hidden = true; history.replaceState(null, '', location.pathname); }
});

/** Why it did not work; undefined when it did. */
async function createUser({ email, password }) {
  let response;
  try {
    response = await fetch('/auth/bootstrap', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ setup_token: location.hash.slice(1), email, password }),
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
form { display: grid; gap: 1rem; }
label { display: grid; gap: .25rem; }
input, button { font: inherit; padding: .5rem .75rem; }
output { display: block; margin-top: 1rem; }`;

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Set up Gantry</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main>
<h1>Set up Gantry</h1>
<p>Create the first user. They administer the whole platform.</p>
<form>
<label>E-mail address <input name="email" type="email" autocomplete="username" required></label>
<label>Password, at least 12 characters
<input name="password" type="password" autocomplete="new-password" minlength="12" maxlength="200" required></label>
<button>Create the user</button>
</form>
<output role="status"></output>
<p><a href="/api/docs">API documentation</a></p>
</main>
<script>${script}</script>
</body>
</html>
`;

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const policy = [
  `default-src 'none'`,
  `script-src ${hash(script)}`,
  `style-src ${hash(style)}`,
  `connect-src 'self'`,
  `img-src data:`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

export const setupPage: RequestHandler = (_request, response) => {
  response.setHeader('Content-Security-Policy', policy);
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cache-Control', 'no-store');
  response.type('html').send(page);
};
