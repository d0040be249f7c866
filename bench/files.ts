// (f) A file of 1 GB to a game host and back, through platform and agent, compared with one loopback HTTP hop:
// the same client sends the file to a bare server that stores it on the same disk, and fetches it from there.
import { createWriteStream, openAsBlob } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openAgentHost, watchingMemory } from './support/agent-host.ts';
import { startChild } from './support/child.ts';
import { printComparison } from './support/figures.ts';

const mebibyte = 1024 * 1024;
const size = 1024 * mebibyte;
const rounds = 5;

const host = await openAgentHost(() => ({}));
try {
  const { url, token, instanceId, directory } = host;
  const source = join(directory, 'source');
  await fill(source);
  const hop = await startChild('servers/hop.ts', { path: join(directory, 'copy') });
  const files = `${url}/api/instances/${instanceId}/files`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' };
  const speeds: Record<'up' | 'down' | 'hopUp' | 'hopDown', number[]> = {
    up: [],
    down: [],
    hopUp: [],
    hopDown: [],
  };
  await watchingMemory(host, { platform: 80, agent: 80 }, async () => {
    for (let round = 0; round < rounds; round += 1) {
      speeds.hopUp.push(await timed(() => upload(hop.ready.url, {})));
      speeds.up.push(await timed(() => upload(`${files}/upload?path=large&overwrite=true`, headers)));
      speeds.hopDown.push(await timed(() => download(hop.ready.url, {})));
      speeds.down.push(await timed(() => download(`${files}/download?path=large`, headers)));
    }
  });
  await hop.stop();
  const shared = { baseline: 'one loopback HTTP hop', unit: 'MB/s', aim: '≥ 0.5' };
  printComparison({ name: 'Upload of 1 GB', ...shared, ours: speeds.up, theirs: speeds.hopUp });
  printComparison({ name: 'Download of 1 GB', ...shared, ours: speeds.down, theirs: speeds.hopDown });

  async function upload(to: string, sent: Record<string, string>): Promise<void> {
    const response = await fetch(to, { method: 'PUT', headers: sent, body: await openAsBlob(source) });
    if (!response.ok) throw new Error(await response.text());
    await response.arrayBuffer();
  }

  async function download(from: string, sent: Record<string, string>): Promise<void> {
    const response = await fetch(from, { headers: sent });
    if (!response.ok || response.body === null) throw new Error(await response.text());
    await pipeline(response.body, createWriteStream(join(directory, 'back')));
  }
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
