// The platform's bundled OpenAPI contract: its file and its content.
import { resolve } from 'node:path';
import { readDocument, type Document } from '../contract/document.ts';

export const generatedDirectory = resolve(import.meta.dirname, '../../generated');

export const documentFile = resolve(generatedDirectory, 'platform.openapi.json');

/** As published, for callers. */
export const publishedContractFile = resolve(generatedDirectory, 'platform.openapi-3.1.json');

let document: Document | undefined;

/** The contract, parsed once per process. */
export const platformDocument = (): Document => (document ??= readDocument(documentFile));
