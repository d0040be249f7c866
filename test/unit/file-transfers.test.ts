// The platform's file transfers: clients that disconnect end them, and they stop once access is revoked.
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { DomainError } from '../../src/errors.ts';
import type { AgentFiles } from '../../src/services/files/agent-files.ts';
import type { DataConnections } from '../../src/services/files/data-connections.ts';
import { downloadOf, sendUpload } from '../../src/services/files/transfers.ts';

const opened = { transfer: '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01', size: 10_000_000 };
const checkAccess = () => Promise.resolve();

/** An agent that records requests and, by default, sends no reply to any part. */
function agent(exchange: () => Promise<unknown> = () => new Promise(() => undefined)) {
  const asked: string[] = [];
  const ask = (verb: string) => {
    asked.push(verb);
    return Promise.resolve({ v: 1, ok: true });
  };
  return { asked, files: { ask, exchange } as unknown as AgentFiles };
}

describe('a download', () => {
  it('is ended at once when its reader disconnects, even with pending replies', async () => {
    const { asked, files } = agent();
    const stream = downloadOf({ files }, opened, checkAccess, []);
    stream.resume();
    stream.destroy();
    await once(stream, 'close');
    expect(asked).toEqual(['file-end']);
  });

  it('is ended when it is never read', async () => {
    const { asked, files } = agent();
    const stream = downloadOf({ files }, opened, checkAccess, []);
    stream.destroy();
    await once(stream, 'close');
    expect(asked).toEqual(['file-end']);
  });

  it("aborts with the agent's error, and is ended", async () => {
    const { asked, files } = agent(() => Promise.reject(new Error('away')));
    const stream = downloadOf({ files }, opened, checkAccess, []);
    await expect(stream.toArray()).rejects.toThrow('away');
    expect(asked).toEqual(['file-end']);
  });
});

it('a download without a reader requests only a few parts from the agent', async () => {
  let parts = 0;
  const bytes = Buffer.alloc(256 * 1024);
  const { files } = agent(() => {
    parts += 1;
    return Promise.resolve({ bytes, sha256: undefined });
  });
  const stream = downloadOf({ files }, opened, checkAccess, []);
  stream.read(0);
  await once(stream, 'readable');
  for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
  expect(parts).toBeLessThanOrEqual(10);
  stream.destroy();
});

describe('an upload', () => {
  it('is not completed when access was revoked before its body ended', async () => {
    const { asked, files } = agent(() => Promise.resolve());
    let isOver = false;
    const body = Readable.from(
      (async function* () {
        yield Buffer.alloc(256 * 1024);
        await new Promise(setImmediate);
        isOver = true;
      })(),
    );
    const sending = {
      body,
      sha256: undefined,
      checkAccess: () => (isOver ? Promise.reject(new Error('ended')) : Promise.resolve()),
    };
    await expect(sendUpload({ files }, opened, sending, [])).rejects.toThrow('ended');
    expect(asked).toEqual(['file-end']);
  });

  it('whose last reply is missing reports an unknown outcome', async () => {
    const ask = (verb: string) =>
      verb === 'file-finish'
        ? Promise.reject(new DomainError('agent_timeout', 'The agent did not reply within 25 seconds.'))
        : Promise.resolve({ v: 1, ok: true });
    const files = { ask, exchange: () => Promise.resolve() } as unknown as AgentFiles;
    const sending = { body: Readable.from([Buffer.from('all of it')]), sha256: undefined, checkAccess };
    await expect(sendUpload({ files }, opened, sending, [])).rejects.toMatchObject({
      code: 'agent_timeout',
      message: expect.stringContaining('it is unknown whether it was stored'),
    });
  });

  it.each([
    ['a large body that comes quickly', 10, true],
    ['a large body that comes slowly', 1_000, false],
  ])('with %s has a connection accordingly', async (_what, everyMs, isConnected) => {
    const { files } = agent(() => Promise.resolve());
    let nowMs = performance.now();
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
    let openedCount = 0;
    const connections = {
      open: () => {
        openedCount += 1;
        return Promise.resolve(undefined);
      },
    } as unknown as DataConnections;
    const body = Readable.from(
      (function* () {
        for (let count = 0; count < 40; count += 1) {
          nowMs += everyMs;
          yield Buffer.alloc(64 * 1024);
        }
      })(),
    );
    try {
      const stored = await sendUpload(
        { files, connections },
        opened,
        { body, sha256: undefined, checkAccess },
        [],
      );
      expect(stored.size).toBe(40 * 64 * 1024);
      expect(openedCount).toBe(isConnected ? 1 : 0);
    } finally {
      clock.mockRestore();
    }
  });

  it('that fails midway keeps the connection open for the error response', async () => {
    const { files } = agent(() => Promise.reject(new Error('disk full')));
    const body = new Readable({
      read() {
        this.push(Buffer.alloc(256 * 1024));
      },
    });
    await expect(sendUpload({ files }, opened, { body, sha256: undefined, checkAccess }, [])).rejects.toThrow(
      'disk full',
    );
    expect(body.destroyed).toBe(false);
    body.destroy();
  });
});
