// (c) A storm of sign-ins: how 200 concurrent ones affect the response times of everything else.
import { startChild } from './support/child.ts';
import { openEnvironment } from './support/environment.ts';
import { percentile, refuseMissed } from './support/figures.ts';

const rounds = 3;
const attempts = 200;
const aimMs = 100;
const pauseMs = 5;

const environment = await openEnvironment();
const settings = JSON.parse(environment.settings) as object;
const platform = await startChild('servers/platform.ts', { ...settings, roles: ['api'] });
const { url } = platform.ready;
try {
  await signIn(0);
  console.log(`\nGET /healthz, one after the other, while ${attempts} sign-ins run at once`);
  const worst: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const atRest = await probeWhile(new Promise((resolve) => setTimeout(resolve, 3_000)));
    const started = performance.now();
    const storm = Promise.all(Array.from({ length: attempts }, (_, index) => signIn(index)));
    const during = await probeWhile(storm);
    const seconds = (performance.now() - started) / 1000;
    worst.push(percentile(during, 0.99));
    console.log(
      `  p99 ${shown(during, 0.99)} (median ${shown(during, 0.5)}, ${during.length} responses in ${seconds.toFixed(1)} s)` +
        `   baseline at rest: p99 ${shown(atRest, 0.99)} (median ${shown(atRest, 0.5)})`,
    );
  }
  const median = percentile(worst, 0.5);
  console.log(`  p99 during the storm ${median.toFixed(1)} ms   aim < ${aimMs} ms`);
  refuseMissed(median >= aimMs);
} finally {
  await platform.stop();
  await environment.stop();
}

/** Right and wrong passwords alternate; both cost a hash. */
async function signIn(index: number): Promise<void> {
  const password = index % 2 === 0 ? 'correct-horse-battery' : 'wrong-horse-battery';
  const response = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'bench@example.com', password }),
  });
  await response.arrayBuffer();
  if (response.status !== (index % 2 === 0 ? 200 : 401))
    throw new Error(`sign-in returned ${response.status}`);
}

/** Milliseconds of each response until `until` settles. */
async function probeWhile(until: Promise<unknown>): Promise<number[]> {
  let isOver = false;
  const end = until.finally(() => (isOver = true));
  const times: number[] = [];
  while (!isOver) {
    const started = performance.now();
    await (await fetch(`${url}/healthz`)).arrayBuffer();
    times.push(performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  await end;
  return times;
}

function shown(times: number[], share: number): string {
  return `${percentile(times, share).toFixed(1)} ms`;
}
