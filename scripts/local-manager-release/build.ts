// Builds the local manager for Windows, as one executable and as an installer: `npm run build:local-manager`. With
// `--platform linux-x64` it builds the same executable for Linux, where it can be tried with the stand-ins.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { platforms, prepareBlob, writeExecutable } from '../agent-release/executable.ts';
import { bundleManager } from './bundle.ts';

const run = promisify(execFile);
const root = process.cwd();
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(root, 'dist', 'local-manager') },
    platform: { type: 'string', default: 'win-x64' },
    /** Another Node binary for Windows, for trying the executable where the bundled one does not start. */
    node: { type: 'string' },
  },
});
const platform = (Object.keys(platforms) as (keyof typeof platforms)[]).find(
  (name) => name === values.platform,
);
if (platform === undefined) {
  process.stderr.write(`--platform ${values.platform}: one of ${Object.keys(platforms).join(', ')}\n`);
  process.exit(1);
}

const { version } = JSON.parse(await readFile(join(root, 'local-manager/package.json'), 'utf8')) as {
  version: string;
};
await mkdir(dirname(values.out), { recursive: true });
const work = await mkdtemp(`${values.out}.building-`);
try {
  const release = join(work, 'release');
  await mkdir(release);
  const script = await bundleManager({ root, work });
  await writeFile(join(release, 'gantry-local-manager.cjs'), script);
  const blob = await prepareBlob(script, work);
  const name = `gantry-local-manager-${version}-${platform}${platforms[platform].suffix}`;
  const executable = join(release, name);
  const file = await writeExecutable({
    root,
    platform,
    blob,
    work,
    path: executable,
    node: values.node,
  });
  process.stdout.write(`${file.name}  ${(file.size / 1e6).toFixed(1)} MB  sha256 ${file.sha256}\n`);
  if (platform === 'win-x64')
    await buildInstaller(executable, join(release, `gantry-local-manager-${version}-setup.exe`));
  await rm(values.out, { recursive: true, force: true });
  await rename(release, values.out);
} finally {
  await rm(work, { recursive: true, force: true });
}

/** Sign the executable before this step, and the installer after it, with the owner's own certificate. */
async function buildInstaller(executable: string, output: string): Promise<void> {
  const script = join(root, 'scripts/local-manager-release/installer.nsi');
  const flags = [`-DVERSION=${version}`, `-DEXECUTABLE=${executable}`, `-DOUTPUT=${output}`];
  try {
    await run('makensis', ['-V2', ...flags, script]);
    process.stdout.write(`${output.slice(output.lastIndexOf('/') + 1)}\n`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    process.stdout.write('No installer was built: makensis is missing (Debian package nsis).\n');
  }
}
