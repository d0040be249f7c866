// The page behind the link of a signup for early access: it confirms the address.
import type { RequestHandler } from 'express';
import { createPage } from './page.ts';

/** The token is in the URL fragment, which no server or log receives. */
const page = createPage({
  title: 'Confirm your signup',
  style: `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 26rem; margin: 12vh auto; padding: 0 1rem; }
button { font: inherit; padding: .5rem .75rem; }`,
  body: `<main>
<h1>Confirm your signup</h1>
<p>Your address is on the list once you confirm it.</p>
<button>Confirm</button>
<p role="status"></p>
</main>`,
  script: `
const button = document.querySelector('button');
const note = document.querySelector('[role=status]');
button.addEventListener('click', async () => {
  button.disabled = true;
  note.textContent = '';
  const { fault, result } = await confirm();
  button.disabled = false;
  note.textContent = fault ?? (result.holds_founding_place
    ? 'Done. You have a place in the Founding Admin Program.'
    : 'Done. You are on the list; every place in the Founding Admin Program is taken at present.');
  if (fault === undefined) { button.hidden = true; history.replaceState(null, '', location.pathname); }
});

/** Returns the result, or the text of the failure. */
async function confirm() {
  let response;
  try {
    response = await fetch('/api/early-access/confirmations', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: location.hash.slice(1) }),
      signal: AbortSignal.timeout(30_000),
    });
  } catch {
    return { fault: 'Gantry cannot be reached. Check that the server is running, then try again.' };
  }
  const result = await response.json().catch(() => undefined);
  if (response.ok && result !== undefined) return { result };
  return { fault: result?.detail ?? 'The request failed with status ' + response.status + '. Try again.' };
}`,
});

export const earlyAccessPage: RequestHandler = async (request, response) => {
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cache-Control', 'no-store');
  await page.sendPublic(request, response);
};
