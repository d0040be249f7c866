// The published contract reduced to one operation, for tools that slow down with the size of a document.
import { operationsIn, type DocumentObject } from '../../../shared/openapi/document.ts';
import { reachedComponents } from '../../../shared/openapi/references.ts';
import type { CodeSample } from './catalogue.ts';
import { publishedForm } from './published-form.ts';

export interface PublishedDocument extends DocumentObject {
  openapi: string;
  info: object;
  components: { securitySchemes?: object };
}

/** Undefined if the contract has no such operation. */
export function operationDocument(
  document: PublishedDocument,
  id: string,
  samples: readonly CodeSample[],
): unknown {
  const found = operationsIn(document).find(({ operation }) => operation.operationId === id);
  if (found === undefined) return undefined;
  const { path, method, operation } = found;
  const { openapi, info } = document;
  const paths = {
    [path]: {
      [method]: {
        ...operation,
        'x-codeSamples': samples.map(({ lang, label, source }) => ({ lang, label, source })),
      },
    },
  };
  const { securitySchemes = {} } = document.components;
  const components = { ...reachedComponents(document, paths), securitySchemes };
  // The empty address means this server: a published one may name another address of it.
  return publishedForm(
    { openapi, info: { ...info, description: '' }, servers: [{ url: '/' }], paths, components },
    '',
  );
}
