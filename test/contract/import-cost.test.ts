// What a rejected import costs the main thread, even when it is nearly valid.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { documentOf } from '../support/migration.ts';
import { threadMs, parsingMs } from '../support/thread-cost.ts';
import { World, type Tenant } from '../support/world.ts';

/**
 * A rejected import of eight megabytes costs at most as much as parsing this many MiB of JSON. Receiving it costs as much as
 * some five; validating and hashing it would cost as much as hundreds.
 */
const maxParsings = 50;

/** Sends requests from a separate thread, so that only the server's work is measured. */
const clientSource = `
  const { parentPort } = require('node:worker_threads');
  const { request } = require('node:http');
  const send = ({ url, token, body }, triesLeft) => {
    const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json', 'content-length': body.length };
    const sent = request(url, { method: 'POST', headers, agent: false });
    let isAnswered = false;
    sent.on('response', (response) => {
      isAnswered = true;
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        sent.destroy();
        parentPort.postMessage({ status: response.statusCode, ...JSON.parse(Buffer.concat(chunks).toString()) });
      });
    });
    sent.on('error', (error) => {
      if (isAnswered) return;
      // A server may close the connection before this busy thread has read the reply.
      if (triesLeft > 0) send({ url, token, body }, triesLeft - 1);
      else parentPort.postMessage({ status: 0, code: error.code });
    });
    sent.end(Buffer.from(body.buffer));
  };
  parentPort.on('message', (message) => send(message, 2));
`;

interface Outcome {
  status: number;
  code: string;
}

let world: World;
let tenant: Tenant;
let client: Worker;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
  tenant = await world.createTenant();
  client = new Worker(clientSource, { eval: true });
});

afterAll(async () => {
  await client.terminate();
  await world.close();
});

/** Nearly as large as an import may be, and valid by the contract. */
function largeParts() {
  const items: object[] = [];
  let size = 0;
  while (size < 7.6e6) {
    const a = Array.from({ length: 400 }, (_, x) => ({ x, y: `${'abcdefghij'.repeat(5)}${x}`, z: x * 2 }));
    const item = { kind: 'kits', name: `c${items.length}`, config_data: { a } };
    size += JSON.stringify(item).length;
    items.push(item);
  }
  return { plugin_configs: { version: 1, items } };
}

function sharedText(value: object): Uint8Array {
  const text = Buffer.from(JSON.stringify(value));
  const bytes = new Uint8Array(new SharedArrayBuffer(text.length));
  bytes.set(text);
  return bytes;
}

const good = documentOf(largeParts());

it.each([
  [
    'a wrong checksum',
    '',
    { document: { ...good, checksum: `sha256:${'0'.repeat(64)}` } },
    { status: 422, code: 'checksum_mismatch' },
  ],
  ['an unknown parameter', '?x=1', { document: good }, { status: 400, code: 'validation_failed' }],
  [
    'a character that cannot be stored',
    '',
    { document: good, instance_map: [{ host: 'a\0', instance: 'b', instance_id: crypto.randomUUID() }] },
    { status: 400, code: 'validation_failed' },
  ],
])('one with %s is rejected cheaply', async (_name, query, body, expected) => {
  const bytes = sharedText(body);
  const maxMs = maxParsings * (await parsingMs());
  const ms = await threadMs(async () => {
    client.postMessage({
      url: `${world.url}/api/migration/import${query}`,
      token: tenant.owner.token,
      body: bytes,
    });
    const [outcome] = (await once(client, 'message')) as [Outcome];
    expect(outcome).toMatchObject(expected);
  }, maxMs);
  expect(ms).toBeLessThan(maxMs);
});
