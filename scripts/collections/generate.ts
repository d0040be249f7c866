// Writes the collections for Postman and Bruno from the published contract: `npm run generate:collections`.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { brunoCollection } from '../../shared/collections/bruno.ts';
import { postmanCollection } from '../../shared/collections/postman.ts';

const root = resolve(import.meta.dirname, '../..');

export function generateCollections(directory: string): void {
  const bundle = readFileSync(join(root, 'generated/platform.openapi-3.1.json'), 'utf8');
  const document = JSON.parse(bundle) as Record<string, unknown>;
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const postman = JSON.stringify(postmanCollection(document), null, 2);
  writeFileSync(join(directory, 'gantry.postman_collection.json'), `${postman}\n`);
  for (const [name, text] of brunoCollection(document)) {
    const file = join(directory, 'bruno', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

if (import.meta.main) generateCollections(resolve(root, 'sdks/collections'));
