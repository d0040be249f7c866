// Serves contract documents at stable addresses, as JSON and as YAML, in their published form.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import express, { type Router } from 'express';
import { PublicContent } from '../../results/public-content.ts';
import { publishedForm } from './published-form.ts';

export interface ContractDocument {
  /** The path without `.json` and `.yaml`. */
  path: string;
  title: string;
  file: string;
}

export interface DocumentOptions {
  documents: readonly ContractDocument[];
  /** The address of this server, which the documents name. */
  baseUrl: () => string;
  /** Whether pages of other origins may read the documents: client generators fetch them. */
  isReadableElsewhere: boolean;
}

const types = { json: 'application/json', yaml: 'application/yaml' };

export function createDocumentsRouter({ documents, baseUrl, isReadableElsewhere }: DocumentOptions): Router {
  const router = express.Router();
  for (const { path, file } of documents)
    for (const format of ['json', 'yaml'] as const) {
      const content = lazily(baseUrl, async (base) => {
        const json = JSON.stringify(publishedForm(JSON.parse(await readFile(file, 'utf8')), base));
        return new PublicContent(format === 'json' ? json : await yamlOf(json));
      });
      router.get(`${path}.${format}`, async (request, response) => {
        const found = await content();
        if (isReadableElsewhere) response.setHeader('Access-Control-Allow-Origin', '*');
        response.type(types[format]).setHeader('Cache-Control', 'public, max-age=60');
        await found.send(request, response);
      });
    }
  return router;
}

/** Makes the content at the first request, and again if the address of the server differs or it failed. */
function lazily<Made>(baseUrl: () => string, make: (base: string) => Promise<Made>): () => Promise<Made> {
  let made: { base: string; content: Promise<Made> } | undefined;
  return () => {
    const base = baseUrl();
    if (made?.base === base) return made.content;
    const content = make(base);
    const entry = (made = { base, content });
    content.catch(() => {
      if (made === entry) made = undefined;
    });
    return content;
  };
}

/** YAML of a large document takes seconds, so a thread writes it. */
async function yamlOf(json: string): Promise<Buffer> {
  const thread = new Worker(new URL('./yaml-thread.ts', import.meta.url), { workerData: json });
  const [bytes] = (await once(thread, 'message')) as [Uint8Array];
  return Buffer.from(bytes);
}
