// A router's copy of the directory, as a child of a benchmark: it looks identifiers up while changes arrive.
import { settingsOfChild } from '../support/child.ts';
import { DirectoryReplica } from '../support/cells/directory-replica.ts';
import { identifiersOf } from '../support/cells/directory.ts';

const { url, licenses } = settingsOfChild<{ url: string; licenses: number }>();
const perLicense = identifiersOf(0).length;
const before = process.memoryUsage.rss();
const begun = performance.now();
const replica = await DirectoryReplica.open(url, licenses * 1.1, licenses * perLicense * 1.1);
const loadMs = performance.now() - begun;

export interface LookUps {
  perSecond: number;
  p50Micros: number;
  p99Micros: number;
  maxMicros: number;
  /** Unknown identifiers, and those that led to the wrong cell. */
  wrong: number;
}
export interface ReplicaFigures {
  loadMs: number;
  memoryBytes: number;
  delaysMs: number[];
}

process.on('message', (question: { lookUps: number } | 'figures') => {
  if (question === 'figures') {
    globalThis.gc?.();
    process.send?.({
      loadMs,
      memoryBytes: process.memoryUsage.rss() - before,
      delaysMs: replica.delaysMs,
    } satisfies ReplicaFigures);
  } else void lookUp(question.lookUps).then((figures) => process.send?.(figures));
});
process.on('disconnect', () => process.exit(0));
process.send?.({ url: '' });

/** Random licenses of the upper half; those of the lower half are moved meanwhile. Pauses let changes arrive. */
async function lookUp(count: number): Promise<LookUps> {
  const names = Array.from({ length: 1_000 }, () => {
    const license = Math.floor(licenses / 2 + (Math.random() * licenses) / 2);
    return { license, name: identifiersOf(license)[Math.floor(Math.random() * perLicense)] ?? '' };
  });
  const micros = new Float64Array(count);
  let wrong = 0;
  let busyMs = 0;
  for (let done = 0; done < count;) {
    const roundBegun = performance.now();
    for (const { license, name } of names) {
      const from = process.hrtime.bigint();
      const cell = replica.cellOf(name);
      micros[done] = Number(process.hrtime.bigint() - from) / 1_000;
      if (cell !== license % 2) wrong += 1;
      done += 1;
      if (done === count) break;
    }
    busyMs += performance.now() - roundBegun;
    await new Promise((resolve) => setImmediate(resolve));
  }
  micros.sort();
  const at = (share: number) => micros[Math.floor((count - 1) * share)] ?? NaN;
  return {
    perSecond: (count / busyMs) * 1_000,
    p50Micros: at(0.5),
    p99Micros: at(0.99),
    maxMicros: at(1),
    wrong,
  };
}
