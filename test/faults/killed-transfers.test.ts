// A replica is killed while a file passes through it, over the agent's data connection to that replica.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { FileHost, readSlowly } from '../support/file-host.ts';
import type { Program } from '../support/processes.ts';
import { startApiReplica } from '../support/replicas.ts';
import { until } from '../support/until.ts';

const hugeBytes = 1_000_000_000;

let host: FileHost;
let replica: Program;
let url: string;

beforeAll(async () => {
  host = await FileHost.open();
  writeFileSync(inRoot('huge'), '');
  truncateSync(inRoot('huge'), hugeBytes);
});
afterAll(() => host.close());

const inRoot = (path: string) => join(host.root, path);

/** A new replica, to which the agent's data connections lead. */
beforeEach(async () => {
  ({ replica, url } = await startApiReplica(host.world));
  await host.killAgent();
  await host.restartAgent(url);
});

/** Uploads it over the replica that is left. */
async function upload(path: string, content: Buffer): Promise<number | undefined> {
  const [response] = (await once(host.beginUpload(path).end(content), 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}

/** Until a part of the file is on the disk, and so the data connection carries the rest. */
const untilBegun = () =>
  until(() => host.leftovers().some((name) => statSync(inRoot(name)).size > 1_000_000), 'the beginning');

it('during an upload: the agent removes what has arrived, and the file can be uploaded again', async () => {
  const content = randomBytes(3_000_000);
  const begun = host.beginUpload('world.sav', undefined, url);
  begun.write(content);
  await untilBegun();
  await replica.signal('SIGKILL');
  await host.untilTidy();
  expect(existsSync(inRoot('world.sav'))).toBe(false);
  expect(await upload('world.sav', content)).toBe(200);
  expect(readFileSync(inRoot('world.sav')).equals(content)).toBe(true);
});

it('during an upload of a file that exists: the former file stays', async () => {
  writeFileSync(inRoot('known.sav'), 'as before');
  const begun = host.beginUpload('known.sav&overwrite=true', undefined, url);
  begun.write(randomBytes(3_000_000));
  await untilBegun();
  await replica.signal('SIGKILL');
  await host.untilTidy();
  expect(readFileSync(inRoot('known.sav'), 'utf8')).toBe('as before');
});

it('during a download: a partial file is never taken for complete', async () => {
  const response = await host.beginDownload('huge', undefined, url);
  expect(response.statusCode).toBe(200);
  const reading = readSlowly(response);
  await replica.signal('SIGKILL');
  const { isWhole, bytes } = await reading;
  expect(isWhole).toBe(false);
  expect(bytes).toBeLessThan(hugeBytes);
});

it('leaves the agent free for others', async () => {
  // As many as an agent transfers at once.
  const begun = await Promise.all(
    Array.from({ length: 16 }, () => host.beginDownload('huge', undefined, url)),
  );
  expect(begun.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 16 }, () => 200));
  await replica.signal('SIGKILL');
  await until(async () => {
    const response = await host.beginDownload('huge');
    response.destroy();
    return response.statusCode === 200;
  }, 'another download');
});
