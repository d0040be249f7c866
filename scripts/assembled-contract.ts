// Assembles the platform's contract in a scratch folder: the hand-written files, and the expanded schemas of each kind.
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import { eventSchemas } from './events.ts';
import { additionalPermissions, readKinds, readTemplate, schemasOf, unionsOf } from './plugin-kinds.ts';
import { withSharedEnums } from './shared-enums.ts';

const root = resolve(import.meta.dirname, '..');

/** Calls `use` with the path of the assembled openapi.yaml, and deletes the scratch folder afterwards. */
export function withAssembledContract<T>(use: (source: string) => T): T {
  const scratch = mkdtempSync(join(tmpdir(), 'gantry-openapi-'));
  try {
    const folder = join(scratch, 'openapi');
    cpSync(join(root, 'openapi'), folder, { recursive: true });
    writeFileSync(
      join(folder, 'schemas/event-types.yaml'),
      stringify(eventSchemas(), { aliasDuplicateObjects: false, lineWidth: 0 }),
    );
    for (const file of globSync('schemas/*.yaml', { cwd: folder }))
      writeFileSync(join(folder, file), withSharedEnums(join(folder, file)));
    expandKinds(folder);
    return use(join(folder, 'openapi.yaml'));
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

type PathItems = Record<string, Record<string, { description: string; 'x-also-needs'?: unknown }>>;

/** Writes the schemas of all kinds, and their additional permissions, into a copy of the folder `openapi`. */
function expandKinds(folder: string): void {
  const template = readTemplate();
  const kinds = readKinds();
  const write = (file: string, value: unknown) =>
    writeFileSync(join(folder, file), stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 }));
  for (const kind of kinds) {
    write(`plugin-configs/${kind.name}.yaml`, { schemas: schemasOf(template, kind) });
    write(`plugin-configs/kinds/${kind.name}.yaml`, { schemas: kind.schemas });
  }
  write('plugin-configs/unions.yaml', { schemas: unionsOf(template, kinds, ({ name }) => `${name}.yaml`) });
  const paths = 'paths/plugin-configs.yaml';
  const items = parse(readFileSync(join(folder, paths), 'utf8'), { merge: true }) as PathItems;
  const needed = additionalPermissions(kinds);
  for (const operation of Object.values(items).flatMap((item) => Object.values(item)))
    if (operation['x-also-needs'] === 'kinds') {
      operation['x-also-needs'] = needed;
      operation.description = `${operation.description}\n\n${wordsFor(needed)}`;
    }
  write(paths, items);
}

function wordsFor(needed: Record<string, readonly string[]>): string {
  const list = Object.entries(needed).map(
    ([kind, permissions]) => `${permissions.map((name) => `\`${name}\``).join(' and ')} for \`${kind}\``,
  );
  return `**Additional permissions:** ${list.join('; ')}.`;
}
