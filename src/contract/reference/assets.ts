// Serves the scripts and the style sheet of the reference. An address with a version is cached for a year.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import express, { type Router } from 'express';
import { PublicContent } from '../../results/public-content.ts';
import { scalarDirectory } from './scalar.ts';
import { docsScript, sessionPageScript, sessionScript } from './scripts.ts';
import { style } from './style.ts';

export const assetsPath = '/api/docs/assets';

const yearly = 'public, max-age=31536000, immutable';

/** Files of ours by name. */
export class Assets {
  readonly #texts: Readonly<Record<string, string>>;
  readonly #contents = new Map<string, PublicContent>();

  constructor(signInPath: string | undefined) {
    this.#texts = {
      'docs.css': style,
      'docs.js': docsScript(`${assetsPath}/minisearch.js`, '/api/docs/search.json'),
      'session.js': sessionScript,
      'session-page.js': sessionPageScript(signInPath),
    };
  }

  urlOf(name: string): string {
    const version = createHash('sha256')
      .update(this.#texts[name] ?? '')
      .digest('base64url')
      .slice(0, 12);
    return `${assetsPath}/${name}?v=${version}`;
  }

  find(name: string): PublicContent | undefined {
    const text = Object.hasOwn(this.#texts, name) ? this.#texts[name] : undefined;
    if (text === undefined) return undefined;
    const content = this.#contents.get(name) ?? new PublicContent(text);
    this.#contents.set(name, content);
    return content;
  }
}

/** Scalar's module with its version in the path, so that its chunks, whose names hold a digest, have it too. */
export const scalarModule = 'scalar/standalone.esm.js';

export function createAssetsRouter(assets: Assets): Router {
  const router = express.Router();
  const files = new FileContents();
  router.get(`${assetsPath}/scalar/{*file}`, async (request, response, next) => {
    const content = await files.find([request.params['file'] ?? []].flat().join('/'));
    if (content === undefined) {
      next();
      return;
    }
    response.type('text/javascript').setHeader('Cache-Control', cacheOf(request.query['v'], request.path));
    await content.send(request, response);
  });
  router.get(`${assetsPath}/:name`, async (request, response, next) => {
    const name = request.params['name'];
    const content = name === 'minisearch.js' ? await files.find('minisearch.js') : assets.find(name);
    if (content === undefined) {
      next();
      return;
    }
    response.type(name.endsWith('.css') ? 'text/css' : 'text/javascript');
    response.setHeader('Cache-Control', cacheOf(request.query['v'], request.path));
    await content.send(request, response);
  });
  return router;
}

/** Names of chunks hold a digest of their content. */
const cacheOf = (version: unknown, path: string) =>
  version !== undefined || path.includes('/chunks/') ? yearly : 'public, max-age=3600';

/** Files of packages, each read at its first request. Only listed files have a name here. */
class FileContents {
  #paths: Promise<ReadonlyMap<string, string>> | undefined;
  readonly #contents = new Map<string, Promise<PublicContent>>();

  async find(name: string): Promise<PublicContent | undefined> {
    const path = (await (this.#paths ??= listed())).get(name);
    if (path === undefined) return undefined;
    const content = this.#contents.get(name) ?? readFile(path).then((bytes) => new PublicContent(bytes));
    this.#contents.set(name, content);
    return content;
  }
}

async function listed(): Promise<ReadonlyMap<string, string>> {
  const directory = scalarDirectory();
  const chunks = (await readdir(join(directory, 'chunks'))).filter((file) => file.endsWith('.js'));
  return new Map([
    ['standalone.esm.js', join(directory, 'standalone.esm.js')],
    ...chunks.map((file): [string, string] => [`chunks/${file}`, join(directory, 'chunks', file)]),
    ['minisearch.js', searchModuleFile()],
  ]);
}

/** The package does not export the file, so its path is derived from the exported entry file. */
function searchModuleFile(): string {
  const entry = createRequire(import.meta.url).resolve('minisearch');
  return join(entry.slice(0, entry.lastIndexOf('/dist/')), 'dist/es/index.js');
}
