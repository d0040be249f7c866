// Compares shared responses with a bare Express handler that sends the same bytes.
import { startChild } from './child.ts';
import { printComparison } from './figures.ts';
import { connections, load } from './load.ts';

const rounds = 5;

export async function compareWithBytes(url: string, path: string): Promise<void> {
  const ours = { url: url + path, headers: {} };
  const text = await (await fetch(ours.url)).text();
  const bare = await startChild('servers/bytes.ts', { text, path: new URL(ours.url).pathname });
  try {
    const theirs = { url: bare.ready.url + path, headers: {} };
    if ((await (await fetch(theirs.url)).text()) !== text)
      throw new Error('the servers do not return the same bytes');
    const figures: Record<'ours' | 'theirs', number[]> = { ours: [], theirs: [] };
    for (const target of [ours, theirs]) await load(target);
    for (let round = 0; round < rounds; round += 1) {
      figures.ours.push(await load(ours));
      figures.theirs.push(await load(theirs));
    }
    printComparison({
      name: `GET ${path}, ${Buffer.byteLength(text).toLocaleString('en')} bytes, ${connections} connections`,
      baseline: 'bare Express, the same bytes',
      unit: 'requests/s',
      ours: figures.ours,
      theirs: figures.theirs,
      aim: '≥ 0.7',
    });
  } finally {
    await bare.stop();
  }
}
