// Serves the manager's page only to browsers that opened the printed link.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import express, { type Response, type Router } from 'express';
import type { Gate } from '../security/gate.ts';
import { isBundled } from '../own-files.ts';
import { createBundledPages } from './bundled-pages.ts';
import { builtPage } from './page-build.ts';

const index = 'index.html';

const page = (title: string, text: string) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body><h1>${title}</h1><p>${text}</p></body>
</html>
`;

const locked = page(
  'Open the printed link',
  'The manager prints a link when it starts. Open that link: it holds the token of this start.',
);
const followed = page(
  'One more step',
  'Another page linked here, which may not be what you intended. If it is, <a href="/">open the local manager</a>.',
);
const unbuilt = page(
  'Gantry local manager',
  'The page could not be built; the window of the manager says why. The API is described at <a href="/api/docs">/api/docs</a>.',
);

/** Explains how to continue after a link from another site; the text contains nothing that such a site may not know. */
export function sendFollowedLink(response: Response): void {
  response.status(403).setHeader('Cache-Control', 'no-store').type('html').send(followed);
}

/** The link carries the token once; afterwards the browser has a session cookie. */
export function createPagesRouter(gate: Gate): Router {
  const router = express.Router();
  router.get('/', async (request, response, next) => {
    const { token } = request.query;
    response.setHeader('Cache-Control', 'no-store');
    if (typeof token === 'string' && gate.isToken(token)) {
      response.setHeader('Set-Cookie', await gate.openSession());
      response.redirect(303, '/');
    } else next();
  });
  router.use((request, response, next) => {
    if (request.path.startsWith('/api/') || gate.knows(request)) next();
    else response.status(401).setHeader('Cache-Control', 'no-store').type('html').send(locked);
  });
  if (isBundled) return router.use(createBundledPages());
  router.use(
    express.static(builtPage, {
      index,
      dotfiles: 'deny',
      setHeaders: (response) => response.setHeader('Cache-Control', 'no-cache'),
    }),
  );
  // Paths within the page are routed by the page itself.
  router.get(/^\/(?!api\/)[^.]*$/, (_request, response) => {
    if (existsSync(join(builtPage, index)))
      response.sendFile(index, { root: builtPage, headers: { 'Cache-Control': 'no-cache' } });
    else response.type('html').send(unbuilt);
  });
  return router;
}
