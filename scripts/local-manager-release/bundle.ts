// Bundles the local manager into one script, with its page, its PowerShell scripts and its contract inside.
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';

const run = promisify(execFile);

/** The files that the program reads at run time, by their paths under local-manager/ or the root. */
const ownFiles = [
  { under: 'local-manager', patterns: ['powershell/*.ps1', 'data/*', 'package.json'] },
  { under: '', patterns: ['generated/local-manager*.json'] },
] as const;

/** The script, in CommonJS as executables of Node begin with. The page is built into `work` first. */
export async function bundleManager({ root, work }: { root: string; work: string }): Promise<string> {
  const page = join(work, 'page');
  const env = { ...process.env, NODE_ENV: 'production' };
  await run(process.execPath, [join(root, 'local-manager/web/build.ts'), page], { env });
  const files = Object.fromEntries([
    ...(await filesIn(page, ['**/*.*'], 'web/dist/')),
    ...(
      await Promise.all(ownFiles.map(({ under, patterns }) => filesIn(join(root, under), patterns, '')))
    ).flat(),
  ]);
  const bundle = await rolldown({
    input: join(root, 'local-manager/src/main.ts'),
    platform: 'node',
    transform: {
      define: {
        GANTRY_OWN_FILES: 'globalThis.gantryOwnFiles',
        'import.meta.dirname': '__dirname',
        'import.meta.url': 'gantryScriptUrl',
      },
    },
    // An unresolved import would only fail on the host.
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  const { output } = await bundle.generate({
    format: 'cjs',
    minify: true,
    keepNames: true,
    codeSplitting: false,
  });
  await bundle.close();
  return [
    `globalThis.gantryOwnFiles=${JSON.stringify(files)};`,
    `const gantryScriptUrl=require('node:url').pathToFileURL(__filename).href;`,
    output[0].code,
  ].join('\n');
}

async function filesIn(
  folder: string,
  patterns: readonly string[],
  prefix: string,
): Promise<[string, string][]> {
  const paths = globSync([...patterns], { cwd: folder }).toSorted();
  return Promise.all(
    paths.map(async (path): Promise<[string, string]> => [
      `${prefix}${path.replaceAll('\\', '/')}`,
      (await readFile(join(folder, path))).toString('base64'),
    ]),
  );
}
