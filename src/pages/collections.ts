// Serves the contract as collections for Postman and Bruno, with the address of this server.
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import express, { type Router } from 'express';
import { ZipFile } from 'yazl';
import { brunoCollection } from '../../shared/collections/bruno.ts';
import { postmanCollection } from '../../shared/collections/postman.ts';
import { PublicContent } from '../results/public-content.ts';

type Contract = Record<string, unknown>;

interface Collection {
  path: string;
  type: string;
  make: (contract: Contract, baseUrl: string) => string | Promise<Buffer>;
}

const collections: readonly Collection[] = [
  {
    path: '/api/collections/postman.json',
    type: 'application/json',
    make: (contract, baseUrl) => JSON.stringify(postmanCollection(contract, baseUrl)),
  },
  {
    path: '/api/collections/bruno.zip',
    type: 'application/zip',
    make: (contract, baseUrl) => zipOf(brunoCollection(contract, baseUrl)),
  },
];

/** `file` has the published contract. */
export function createCollectionsRouter(file: string, baseUrl: () => string): Router {
  const router = express.Router();
  for (const { path, type, make } of collections) {
    let made: { base: string; content: PublicContent } | undefined;
    router.get(path, async (request, response) => {
      const base = baseUrl();
      if (made?.base !== base) {
        const contract = JSON.parse(await readFile(file, 'utf8')) as Contract;
        made = { base, content: new PublicContent(await make(contract, base)) };
      }
      response.type(type).setHeader('Cache-Control', 'public, max-age=60');
      response.setHeader('Access-Control-Allow-Origin', '*');
      await made.content.send(request, response);
    });
  }
  return router;
}

/** The same files make the same bytes, so that caches recognize them. */
async function zipOf(files: ReadonlyMap<string, string>): Promise<Buffer> {
  const zip = new ZipFile();
  const mtime = new Date('2026-01-01T00:00:00Z');
  for (const [name, text] of files) zip.addBuffer(Buffer.from(text), `gantry/${name}`, { mtime });
  zip.end();
  return buffer(zip.outputStream);
}
