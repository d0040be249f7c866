// Where the platform's own contract is, bundled.
import { resolve } from 'node:path';

export const generatedDirectory = resolve(import.meta.dirname, '../../generated');

export const documentFile = resolve(generatedDirectory, 'platform.openapi.json');
