// Writes the generated halves of the SDKs from the published contract, and builds the package of the TypeScript client:
// `npm run generate:sdks`.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { goFiles } from './go.ts';
import { modelOf } from '../../shared/sdks/model.ts';
import { phpFiles } from './php.ts';
import { pythonFiles } from './python.ts';
import { buildTypescriptPackage } from './typescript.ts';

const root = resolve(import.meta.dirname, '../..');

/** Generated files below `sdks/`, by path. */
export function sdkFiles(document: Record<string, unknown>): Map<string, string> {
  const model = modelOf(document);
  const files = new Map<string, string>([['python/gantry/generated/__init__.py', '']]);
  for (const [name, text] of Object.entries(pythonFiles(model)))
    files.set(`python/gantry/generated/${name}`, text);
  for (const [name, text] of Object.entries(phpFiles(model))) files.set(`php/src/Generated/${name}`, text);
  for (const [name, text] of Object.entries(goFiles(model))) files.set(`go/${name}`, text);
  return files;
}

export function generateSdks(directory: string): void {
  const bundle = readFileSync(join(root, 'generated/platform.openapi-3.1.json'), 'utf8');
  for (const folder of ['python/gantry/generated', 'php/src/Generated'])
    rmSync(join(directory, folder), { recursive: true, force: true });
  for (const [name, text] of sdkFiles(JSON.parse(bundle) as Record<string, unknown>)) {
    const file = join(directory, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

if (import.meta.main) {
  generateSdks(resolve(root, 'sdks'));
  buildTypescriptPackage(resolve(root, 'sdks/typescript'));
}
