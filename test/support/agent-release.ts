// A signed release of the agent whose executables cannot run, for tests that install nothing.
import { createHash, generateKeyPairSync } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeRelease } from '../../scripts/agent-release/release.ts';

/** Returns its directory. */
export async function makeRelease(version?: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'gantry-release-'));
  const bytes = Buffer.from('an executable');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const files = (['linux-x64', 'win-x64'] as const).map((platform) => ({
    platform,
    name: `gantry-agent-${platform}${platform === 'win-x64' ? '.exe' : ''}`,
    size: bytes.length,
    sha256,
  }));
  for (const { name } of files) await writeFile(join(directory, name), bytes);
  const { privateKey } = generateKeyPairSync('ed25519');
  await writeRelease(directory, { commit: 'no commit', files, ...(version && { version }) }, privateKey);
  return directory;
}
