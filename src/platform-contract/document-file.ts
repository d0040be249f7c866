// The path of the platform's bundled OpenAPI contract.
import { resolve } from 'node:path';

export const generatedDirectory = resolve(import.meta.dirname, '../../generated');

export const documentFile = resolve(generatedDirectory, 'platform.openapi.json');
