// Finds paths that are written but not listed in the contract, because their operations would be ignored silently.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';

/** Throws if `paths/*.yaml` beside the contract has a key that no path of the contract refers to. */
export function refuseUnlistedPaths(root: string, source: string): void {
  const parsed = (file: string) => parse(readFileSync(join(root, file), 'utf8'), { merge: true }) as object;
  const { paths } = parsed(source) as { paths: Record<string, { $ref?: string }> };
  const listed = new Set(Object.values(paths).map(({ $ref }) => $ref));
  const folder = dirname(source);
  const unlisted = globSync('paths/*.yaml', { cwd: join(root, folder) })
    .flatMap((file) => Object.keys(parsed(join(folder, file))).map((key) => `${file}#/${key}`))
    .filter((reference) => !listed.has(reference))
    .sort();
  if (unlisted.length === 0) return;
  throw new Error(unlisted.map((each) => `${folder}/${each} is in no path of ${source}`).join('\n'));
}
