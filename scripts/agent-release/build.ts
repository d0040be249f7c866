// Builds the agent as one executable for each platform, with a signed list of them: `npm run build:agent`.
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleAgent, commitOf } from './bundle.ts';
import { buildExecutable, platforms, prepareBlob, type AgentPlatform } from './executable.ts';
import { openReleaseKey, writeRelease } from './release.ts';

/** npm runs scripts in the directory of the package. */
const root = process.cwd();

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(root, 'dist', 'agent') },
    platform: { type: 'string', multiple: true, default: Object.keys(platforms) },
    key: { type: 'string', default: join(root, '.gantry', 'release-key.pem') },
  },
});
const wanted = values.platform.map(platformOf);
const key = await openReleaseKey(values.key);
await mkdir(dirname(values.out), { recursive: true });
const work = await mkdtemp(`${values.out}.building-`);
try {
  const commit = await commitOf(root);
  const blob = await prepareBlob(await bundleAgent({ root, commit }), work);
  const release = join(work, 'release');
  await mkdir(release);
  const files = [];
  for (const platform of wanted) {
    const file = await buildExecutable({ root, platform, blob, work, release });
    process.stdout.write(`${file.name}  ${(file.size / 1e6).toFixed(1)} MB  sha256 ${file.sha256}\n`);
    files.push(file);
  }
  await writeRelease(release, { commit, files }, key);
  await rm(values.out, { recursive: true, force: true });
  await rename(release, values.out);
} finally {
  await rm(work, { recursive: true, force: true });
}

function platformOf(name: string): AgentPlatform {
  if (name in platforms) return name as AgentPlatform;
  process.stderr.write(`--platform ${name}: one of ${Object.keys(platforms).join(', ')}\n`);
  process.exit(1);
}
