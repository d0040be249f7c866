// How callers share the disk for files that arrive before their fields, and the time limit of uploads.
import { once } from 'node:events';
import { ServerResponse, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Spool, spoolLimits } from '../../src/contract/spool.ts';
import { operations } from '../support/contract.ts';

const limits = { max: 100, maxShare: 40, maxMs: 600_000 };

const newResponse = () => new ServerResponse(new IncomingMessage(new Socket()));

function keep(spool: Spool, holder: string, content: Readable, response = newResponse()): Promise<Readable> {
  return spool.keep(content, { response, holder, abort: (error) => content.destroy(error) });
}

const contentOf = (length: number) => Readable.from([Buffer.alloc(length)]);

it('lets one holder fill its share and no more, while others have room', async () => {
  const spool = new Spool(limits);
  const response = newResponse();
  const first = await keep(spool, 'a', contentOf(30), response);
  await expect(keep(spool, 'a', contentOf(20))).rejects.toMatchObject({ code: 'unavailable' });
  expect((await buffer(await keep(spool, 'b', contentOf(40)))).byteLength).toBe(40);
  const closed = once(first, 'close');
  response.emit('close');
  await closed;
  expect((await buffer(await keep(spool, 'a', contentOf(40)))).byteLength).toBe(40);
});

it('rejects a file that takes too long to arrive, and removes the part that has arrived', async () => {
  const spool = new Spool({ ...limits, maxMs: 1_000 });
  const trickle = new PassThrough();
  trickle.write(Buffer.alloc(40));
  await expect(keep(spool, 'a', trickle)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('too long') as string,
  });
  expect((await buffer(await keep(spool, 'a', contentOf(40)))).byteLength).toBe(40);
});

it('has room for the largest file of an operation in the share of each holder', () => {
  const sizes = operations
    .filter(({ body }) => body?.types.some(({ type }) => type === 'multipart/form-data'))
    .map(({ bodyLimit }) => bodyLimit);
  expect(sizes.length).toBeGreaterThan(0);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(spoolLimits.maxShare);
});
