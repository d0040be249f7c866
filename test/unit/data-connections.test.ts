// Tickets of data connections: what they are bound to, and when they end.
import { createUser, type KeyPair } from '@nats-io/nkeys';
import { Duplex } from 'node:stream';
import { pino } from 'pino';
import type { Bus } from '../../src/bus/bus.ts';
import { createBusMessages } from '../../src/bus/messages.ts';
import { DomainError } from '../../src/errors.ts';
import type { AgentFiles } from '../../src/services/files/agent-files.ts';
import { DataConnections } from '../../src/services/files/data-connections.ts';

const hostId = '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01';
const transfer = '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01';
const bus = { messages: createBusMessages() } as unknown as Bus;
const log = pino({ level: 'silent' });

const pair = createUser();
const sign = (ticket: string, key: KeyPair = pair) =>
  Buffer.from(key.sign(Buffer.from(`gantry-files.${ticket}`))).toString('base64url');

const replica = (
  keyOf: () => string | undefined = () => pair.getPublicKey(),
  secret = 'shared'.repeat(8),
) => {
  const connections = new DataConnections({ bus, encryptionSecret: secret, log }, () =>
    Promise.resolve(keyOf()),
  );
  connections.serve(true);
  return connections;
};

/** Files of an agent that handles the ticket with `take` before it replies. */
const filesOf = (take: (ticket: string) => Promise<string | undefined>) =>
  ({
    target: { hostId, instance: 'main' },
    connect: (_transfer: string, ticket: string) => take(ticket),
  }) as unknown as AgentFiles;

async function ticketOf(connections: DataConnections, work: (ticket: string) => Promise<unknown>) {
  return connections.open(
    filesOf(async (ticket) => {
      await work(ticket);
      return undefined;
    }),
    transfer,
    'send',
  );
}

it('a ticket admits one connection, which the transfer gets', async () => {
  const connections = replica();
  const found = await ticketOf(connections, async (ticket) => {
    const arrive = await connections.admit(ticket, sign(ticket));
    expect(arrive).toBeInstanceOf(Function);
    expect(await connections.admit(ticket, sign(ticket))).toBe('unauthorized');
    if (typeof arrive === 'function') arrive(new Duplex({ read() {}, write() {} }));
  });
  expect(found).toBeDefined();
});

it('a ticket admits nothing after ten seconds, nor when its transfer continues without it', async () => {
  const connections = replica();
  let late = '';
  await ticketOf(connections, async (ticket) => {
    late = ticket;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 10_001);
    expect(await connections.admit(ticket, sign(ticket))).toBe('unauthorized');
    clock.mockRestore();
  });
  expect(await connections.admit(late, sign(late))).toBe('unauthorized');
});

it('a ticket is refused with another signature, without a key, and with another secret', async () => {
  let key: string | undefined = pair.getPublicKey();
  const connections = replica(() => key);
  await ticketOf(connections, async (ticket) => {
    expect(await connections.admit(ticket, sign(ticket, createUser()))).toBe('unauthorized');
    expect(await connections.admit(ticket, sign(`${ticket}x`))).toBe('unauthorized');
    expect(await connections.admit(ticket, '')).toBe('unauthorized');
    expect(await connections.admit(`${ticket}.x`, sign(`${ticket}.x`))).toBe('unauthorized');
    expect(await replica(undefined, 'other'.repeat(8)).admit(ticket, sign(ticket))).toBe('unauthorized');
    expect(await replica().admit(ticket, sign(ticket))).toBe('misdirected');
    key = undefined;
    expect(await connections.admit(ticket, sign(ticket))).toBe('unauthorized');
  });
});

it('a connection ends once its host has another key', async () => {
  let key: string | undefined = pair.getPublicKey();
  const connections = replica(() => key);
  const found = await ticketOf(connections, async (ticket) => {
    const arrive = await connections.admit(ticket, sign(ticket));
    if (typeof arrive === 'function') arrive(new Duplex({ read() {}, write() {} }));
  });
  await found?.checkHost();
  key = createUser().getPublicKey();
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 1_001);
  await expect(found?.checkHost()).rejects.toMatchObject({ code: 'agent_offline' });
  clock.mockRestore();
});

it('a host whose agent cannot connect is not asked again, one that is slow or away is', async () => {
  const connections = replica();
  let askedCount = 0;
  const open = (take: () => Promise<string | undefined>) =>
    connections.open(
      filesOf(() => {
        askedCount += 1;
        return take();
      }),
      transfer,
      'send',
    );
  const timeout = () => Promise.reject(new DomainError('agent_timeout', 'The agent did not reply.'));
  expect(await open(timeout)).toBeUndefined();
  expect(await open(() => Promise.resolve('A proxy refuses it.'))).toBeUndefined();
  expect(await open(() => Promise.resolve(undefined))).toBeUndefined();
  expect(askedCount).toBe(2);
});

it('no agent is asked by a process that serves no connections', async () => {
  const connections = replica();
  connections.serve(false);
  const found = connections.open(
    filesOf(() => Promise.reject(new Error('asked'))),
    transfer,
    'send',
  );
  expect(await found).toBeUndefined();
});
