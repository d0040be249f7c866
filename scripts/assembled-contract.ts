// Assembles the platform's contract in a scratch folder: the hand-written files, and the expanded operations of each kind.
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import { operationsOf, readKinds, readTemplate, type KindOperations } from './plugin-kinds.ts';
import { withSharedEnums } from './shared-enums.ts';

const root = resolve(import.meta.dirname, '..');

/** The entry in openapi.yaml in whose place the paths of every kind stand. */
const placeholder = '/api/plugin-configs/«kind»';

/** Calls `use` with the path of the assembled openapi.yaml, and deletes the scratch folder afterwards. */
export function withAssembledContract<T>(use: (source: string) => T): T {
  const scratch = mkdtempSync(join(tmpdir(), 'gantry-openapi-'));
  try {
    const folder = join(scratch, 'openapi');
    cpSync(join(root, 'openapi'), folder, { recursive: true });
    for (const file of globSync('schemas/*.yaml', { cwd: folder }))
      writeFileSync(join(folder, file), withSharedEnums(join(folder, file)));
    return use(assemble(folder));
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** Expands the operations within a copy of the folder `openapi`. */
function assemble(folder: string): string {
  const template = readTemplate();
  const kinds = readKinds().map((kind) => ({ kind, operations: operationsOf(template, kind) }));
  const write = (file: string, value: unknown) =>
    writeFileSync(join(folder, file), stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 }));
  for (const { kind, operations } of kinds) {
    write(`plugin-configs/${kind.name}.yaml`, operations);
    write(`plugin-configs/kinds/${kind.name}.yaml`, { schemas: kind.schemas });
  }
  const contract = parse(readFileSync(join(folder, 'openapi.yaml'), 'utf8')) as { paths: object };
  const entries = Object.entries(contract.paths);
  if (!entries.some(([path]) => path === placeholder)) throw new Error(`openapi.yaml has no ${placeholder}`);
  const paths = entries.flatMap(([path, item]) =>
    path === placeholder
      ? kinds.flatMap(({ kind, operations }) => pathsOf(kind.name, operations))
      : [[path, item] as const],
  );
  write('openapi.yaml', { ...contract, paths: Object.fromEntries(paths) });
  return join(folder, 'openapi.yaml');
}

const pathsOf = (name: string, { paths }: KindOperations) =>
  Object.keys(paths).map((path) => {
    const pointer = path.replaceAll('~', '~0').replaceAll('/', '~1');
    return [path, { $ref: `plugin-configs/${name}.yaml#/paths/${pointer}` }] as const;
  });
