// Serves the page and the contract from within the bundled program.
import { extname } from 'node:path';
import { Router, type Response } from 'express';
import { findOwnFile, readOwnFile } from '../own-files.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
};

const documents: Readonly<Record<string, string>> = {
  '/api/openapi.json': 'generated/local-manager.openapi-3.1.json',
  '/api/openapi-3.0.json': 'generated/local-manager.openapi-3.0.json',
  '/api/asyncapi/local-manager-events.json': 'generated/local-manager-events.asyncapi.json',
};

const index = 'web/dist/index.html';

/** Paths within the page are routed by the page itself. */
export function createBundledPages(): Router {
  const router = Router();
  router.get(/^\/(?!api\/)/, (request, response, next) => {
    const { path } = request;
    const isPlace = !/\.[^/]*$/.test(path);
    const content = isPlace ? readOwnFile(index) : findOwnFile(`web/dist${path}`);
    if (content === undefined) next();
    else send(response, isPlace ? '.html' : extname(path), content);
  });
  return router;
}

/** The reference with its search needs more files than the executable has; the documents are the whole contract. */
export function createBundledDocs(): Router {
  const router = Router();
  for (const [path, file] of Object.entries(documents))
    router.get(path, (_request, response) => send(response, '.json', readOwnFile(file)));
  router.get('/api/docs', (_request, response) => {
    const items = Object.keys(documents).map((path) => `<li><a href="${path}">${path}</a></li>`);
    const text = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>API</title></head><body><h1>API of the local manager</h1><ul>${items.join('')}</ul></body></html>`;
    send(response, '.html', Buffer.from(text));
  });
  return router;
}

function send(response: Response, extension: string, content: Buffer): void {
  response
    .setHeader('Cache-Control', 'no-cache')
    .setHeader('Content-Type', types[extension] ?? 'application/octet-stream')
    .end(content);
}
