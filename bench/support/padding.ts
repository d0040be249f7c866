// The platform's contract with additional paths, to measure the cost of a large contract.
import { resolve } from 'node:path';
import { readDocument, type Document } from '../../src/contract/document.ts';
import { handlers } from '../../src/handlers/index.ts';

/** Copies the areas as often as needed; the copies use the handlers of the originals. */
export function padDocument(paths: number): { document: Document; handlers: Record<string, unknown> } {
  const document = readDocument(resolve(import.meta.dirname, '../../generated/platform.openapi.json'));
  const originals = Object.entries(document.paths);
  const padded: Record<string, unknown> = { ...handlers };
  for (let copy = 1; Object.keys(document.paths).length < paths; copy += 1) {
    for (const [path, item] of originals) {
      if (Object.keys(document.paths).length >= paths) break;
      const twin = structuredClone(item);
      for (const operation of Object.values(twin)) {
        if (!('operationId' in operation)) continue;
        const id = `${operation.operationId}${copy}`;
        padded[id] = padded[operation.operationId];
        operation.operationId = id;
        operation.tags = [`${operation.tags[0] ?? ''}-${copy}`];
      }
      document.paths[`/padding-${copy}${path}`] = twin;
    }
  }
  return {
    document: { ...document, paths: Object.fromEntries(Object.entries(document.paths).reverse()) },
    handlers: padded,
  };
}
