// Serves the contract documents, and the reference page that renders them from this server alone.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { apiReference } from '@scalar/express-api-reference';
import express, { type RequestHandler, type Router } from 'express';
import { PublicContent } from '../results/public-content.ts';

const scriptPath = '/api/docs/assets/standalone.js';

export interface DocsOptions {
  title: string;
  /** Files of the document in OpenAPI 3.1 and 3.0. */
  document: string;
  document30: string;
  /** Whether pages of other origins may read the documents; true unless set to false. */
  isReadableElsewhere?: boolean;
}

export function createDocsRouter(options: DocsOptions): Router {
  const { title, document, document30, isReadableElsewhere = true } = options;
  const router = express.Router();
  const page = renderPage(title);
  const policy = pagePolicy(page);
  const content = new PublicContent(page);
  router.get('/api/docs', async (request, response) => {
    response.setHeader('Content-Security-Policy', policy);
    await content.send(request, response.type('html'));
  });
  router.get(scriptPath, serveScript());
  router.get('/api/openapi.json', serveDocument(document, isReadableElsewhere));
  router.get('/api/openapi-3.0.json', serveDocument(document30, isReadableElsewhere));
  return router;
}

/** Without it browsers ask for /favicon.ico. */
const noIcon = '<link rel="icon" href="data:," />';

function renderPage(title: string): string {
  let page = '';
  const capture = { type: () => capture, send: (html: string) => void (page = html) };
  const render = apiReference({
    url: '/api/openapi.json',
    cdn: scriptPath,
    pageTitle: title,
    withDefaultFonts: false,
    hideClientButton: true,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
  });
  render({} as never, capture as never, () => undefined);
  return page.replace('<head>', `<head>\n    ${noIcon}`);
}

/** Allows only this server's script and the page's own inline script, and no requests to other servers. */
function pagePolicy(page: string): string {
  const inline = [...page.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, text = '']) => text,
  );
  const hashes = inline.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  return [
    `default-src 'none'`,
    `script-src 'self' ${hashes.join(' ')}`,
    `style-src 'self' 'unsafe-inline'`,
    `img-src 'self' data:`,
    `font-src 'self' data:`,
    `connect-src 'self'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}

/** The package does not export the file, so its path is derived from the exported entry file. */
function scriptFile(): string {
  const entry = createRequire(import.meta.url).resolve('@scalar/api-reference');
  return join(entry.slice(0, entry.lastIndexOf('/dist/')), 'dist/browser/standalone.js');
}

function serveScript(): RequestHandler {
  let script: Promise<PublicContent> | undefined;
  const load = async () => new PublicContent(await readFile(scriptFile()));
  return async (request, response) => {
    const content = await (script ??= load());
    response.type('text/javascript').setHeader('Cache-Control', 'public, max-age=3600');
    await content.send(request, response);
  };
}

/** Public documents allow every origin, because client generators fetch them. */
function serveDocument(file: string, isReadableElsewhere: boolean): RequestHandler {
  let document: Promise<PublicContent> | undefined;
  const load = async () =>
    new PublicContent(JSON.stringify(published(JSON.parse(await readFile(file, 'utf8')))));
  return async (request, response) => {
    const content = await (document ??= load());
    if (isReadableElsewhere) response.setHeader('Access-Control-Allow-Origin', '*');
    response.type('application/json').setHeader('Cache-Control', 'public, max-age=60');
    await content.send(request, response);
  };
}

/** Extensions that client generators read. */
const publicExtensions = new Set(['x-enum-descriptions', 'x-tagGroups']);

/** Keys whose content is literal values, or names that the contract chose; it stays unchanged. */
const literals = new Set(['example', 'default', 'enum', 'const', 'value']);

/** The published form of the contract, without the extensions that only this server reads. */
function published(document: unknown): unknown {
  return withoutExtensions(document, false);
}

function withoutExtensions(node: unknown, isMapOfNames: boolean): unknown {
  if (Array.isArray(node)) return node.map((item) => withoutExtensions(item, false));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]: [string, unknown]) => {
      if (isMapOfNames) return [[key, withoutExtensions(value, false)]];
      if (key.startsWith('x-') && !publicExtensions.has(key)) return [];
      return [[key, literals.has(key) ? value : withoutExtensions(value, key === 'properties')]];
    }),
  );
}
