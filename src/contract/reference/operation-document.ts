// The contract reduced to one operation, for tools that slow down with the size of a document.
import type { Document } from '../document.ts';
import type { CodeSample } from './catalogue.ts';
import { reachedComponents } from '../reduced-document.ts';
import { publishedForm } from './published-form.ts';

/** Undefined if the contract has no such operation. */
export function operationDocument(document: Document, id: string, samples: readonly CodeSample[]): unknown {
  for (const [path, item] of Object.entries(document.paths)) {
    const entry = Object.entries(item).find(
      ([, operation]) => (operation as { operationId?: string }).operationId === id,
    );
    if (entry === undefined) continue;
    const [method, operation] = entry;
    const { openapi, info } = document;
    const paths = {
      [path]: {
        ...(item.parameters && { parameters: item.parameters }),
        [method]: {
          ...operation,
          'x-codeSamples': samples.map(({ lang, label, source }) => ({ lang, label, source })),
        },
      },
    };
    const components = reachedComponents(document, paths);
    // The empty address means this server: a published one may name another address of it.
    return publishedForm(
      { openapi, info: { ...info, description: '' }, servers: [{ url: '/' }], paths, components },
      '',
    );
  }
  return undefined;
}
