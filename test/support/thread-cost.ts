// The CPU time of this thread for a piece of work, beside that of parsing JSON, so that limits hold on slow machines too.

/** Some systems count CPU time in steps of several milliseconds. */
const callsAtOnce = 4;

/** The least cost of a call in milliseconds, of up to ten measurements; the first that is low enough ends them. */
export async function threadMs(work: () => unknown, enoughMs = 0): Promise<number> {
  let leastMs = Infinity;
  for (let attempt = 0; attempt < 10 && leastMs > enoughMs; attempt += 1) {
    const before = process.threadCpuUsage();
    for (let call = 0; call < callsAtOnce; call += 1) await work();
    const { user, system } = process.threadCpuUsage(before);
    leastMs = Math.min(leastMs, (user + system) / 1000 / callsAtOnce);
  }
  return leastMs;
}

const mebibyteOfJson = `[${'{"id":12345,"name":"abcdefgh","values":[1,2,3,4.5,null,true]},'.repeat(16_900)}0]`;

/** What parsing one MiB of JSON costs now; about 4 ms on a machine of 2026. */
export const parsingMs = () => threadMs(() => void JSON.parse(mebibyteOfJson));
