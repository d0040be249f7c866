// Which refusal a console socket gets: one that says whether to try again.
import { pino } from 'pino';
import type { Upgrade } from '../../src/contract/upgrades.ts';
import { DomainError, unauthorized } from '../../src/errors.ts';
import { WorkMonitor } from '../../src/process/work-monitor.ts';
import { startConsoleGateway, type GatewayOptions } from '../../src/sockets/console-gateway.ts';

const log = pino({ level: 'silent' });

it.each([
  ['unavailable', 'while the database cannot be reached', new DomainError('unavailable', '')],
  ['unavailable', 'after an unexpected error', new Error('a fault')],
  ['unauthorized', 'for a ticket that was used', unauthorized()],
])('is %s %s', async (code, _when, failure) => {
  const monitor = new WorkMonitor(log);
  const gateway = startConsoleGateway({
    tickets: { isGenuine: () => true, redeem: () => Promise.reject(failure) },
    changes: { on: () => () => undefined },
    bus: { messages: { reader: () => undefined } },
    monitor,
    log,
  } as unknown as GatewayOptions);
  const request = {
    method: 'GET',
    url: '/api/instances/0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b11/console?ticket=t',
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-version': '13',
    },
  };
  expect(await gateway.take({ request } as unknown as Upgrade, '192.0.2.1')).toEqual({ code });
  await gateway.close();
  monitor.close();
});
