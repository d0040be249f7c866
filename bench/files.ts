// (f) A file of 1 GB to a game host and back, through platform, bus and agent, compared with a plain copy on
// the same disk.
import { createReadStream, createWriteStream, openAsBlob } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openAgentHost, watchingMemory } from './support/agent-host.ts';
import { printComparison } from './support/figures.ts';

const mebibyte = 1024 * 1024;
const size = 1024 * mebibyte;
const rounds = 3;

const host = await openAgentHost(() => ({}));
try {
  const { url, token, instanceId, directory } = host;
  const source = join(directory, 'source');
  await fill(source);
  const files = `${url}/api/instances/${instanceId}/files`;
  const headers = { authorization: `Bearer ${token}` };
  const speeds: Record<'up' | 'down' | 'copy', number[]> = { up: [], down: [], copy: [] };
  await watchingMemory(host, { platform: 150, agent: 150 }, async () => {
    for (let round = 0; round < rounds; round += 1) {
      speeds.copy.push(await timed(() => copy(source, join(directory, 'copy'))));
      speeds.up.push(
        await timed(async () => {
          const response = await fetch(`${files}/upload?path=large&overwrite=true`, {
            method: 'PUT',
            headers: { ...headers, 'content-type': 'application/octet-stream' },
            body: await openAsBlob(source),
          });
          if (!response.ok) throw new Error(await response.text());
        }),
      );
      speeds.down.push(
        await timed(async () => {
          const response = await fetch(`${files}/download?path=large`, { headers });
          if (!response.ok || response.body === null) throw new Error(await response.text());
          await pipeline(response.body, createWriteStream(join(directory, 'back')));
        }),
      );
    }
  });
  const shared = { baseline: 'a copy on the same disk, brought to it', unit: 'MB/s', aim: 'none' };
  printComparison({ name: 'Upload of 1 GB', ...shared, ours: speeds.up, theirs: speeds.copy });
  printComparison({ name: 'Download of 1 GB', ...shared, ours: speeds.down, theirs: speeds.copy });
} finally {
  await host.close();
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return size / 1e6 / ((performance.now() - started) / 1000);
}

async function fill(path: string): Promise<void> {
  const block = Buffer.alloc(mebibyte, 'a game server writes much that is much the same ');
  const file = await open(path, 'w');
  for (let written = 0; written < size; written += block.byteLength) await file.write(block);
  await file.close();
}

async function copy(from: string, to: string): Promise<void> {
  await pipeline(createReadStream(from), createWriteStream(to, { flush: true }));
}
