// The addresses of the virtual machine: kept once it responds there, and rolled back otherwise.
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { firstReachable } from '../../local-manager/src/guest-shell/knock.ts';
import { ManagerWorld } from './support/manager.ts';

/** An address of this machine too, without a listener. */
const former = '127.0.0.2';
const here = '127.0.0.1';

it('is found at the first address that responds, whichever it had before', async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, here);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await firstReachable([former, here], port)).toBe(here);
  expect(await firstReachable([here, former], port)).toBe(here);
  server.close();
  await once(server, 'close');
  expect(await firstReachable([former, here], port)).toBe(former);
  expect(await firstReachable([former], port)).toBe(former);
  expect(await firstReachable([], port)).toBeNull();
});

const fixed = {
  mode: 'static',
  staticIp: '192.168.1.50',
  staticPrefixLength: 24,
  staticGateway: '192.168.1.1',
};
const trialMs = 4_000;
const wholeTrialMs = 120_000;

let at: ManagerWorld;

beforeAll(async () => {
  at = await ManagerWorld.start({ begins: 'imported', networkTrialMs: trialMs });
});

afterAll(() => at.stop());

const file = (name: string) => join(at.world.folder, 'guest/etc', name);
const text = (name: string) => readFileSync(file(name), 'utf8');
const left = () => readdirSync(join(at.world.folder, 'guest/tmp'));

it.each([
  [{ staticIp: '192.168.1.255' }, '/staticIp', 'it is the broadcast address of the network'],
  [{ staticIp: '192.168.1.0' }, '/staticIp', 'it is the network address'],
  [{ staticGateway: '192.168.1.255' }, '/staticGateway', 'it is the broadcast address of the network'],
  [{ staticGateway: '192.168.1.0' }, '/staticGateway', 'it is the network address'],
  [{ staticGateway: '192.168.2.1' }, '/staticGateway', 'another address in the same network'],
  [
    { staticIp: '169.254.1.1' },
    '/staticIp',
    'machines choose such addresses when no DHCP server assigns one',
  ],
  [{ staticIp: '0.0.0.0' }, '/staticIp', 'it identifies no machine'],
])('%j is rejected', async (change, pointer, reason) => {
  const { status, body } = await at.post('/api/setup/network', { ...fixed, ...change });
  expect({ status, code: body.code }).toEqual({ status: 422, code: 'invalid_address' });
  expect(body.errors).toEqual([{ in: 'body', pointer, detail: expect.stringContaining(reason) }]);
});

it('is looked for at each address that Windows knows of', async () => {
  at.world.host.addresses = ['169.254.9.9', former, here];
  expect(await at.status()).toMatchObject({ vm: { ip: here }, ssh: { state: 'ready' } });
  at.world.host.addresses = undefined;
});

it(
  'rolls back to the previous address from an unreachable one',
  async () => {
    const before = text('network/interfaces');
    const elsewhere = { ...fixed, staticIp: '10.9.9.9', staticGateway: '10.9.9.1' };
    const { state, problem } = await at.done('/api/setup/network', elsewhere);
    expect({ state, code: problem?.code }).toEqual({ state: 'failed', code: 'guest_unreachable' });
    expect(problem?.detail).toContain('did not respond at 10.9.9.9 within 4 seconds');
    expect(problem?.detail).toContain('reverted to its old address and responds at 127.0.0.1');
    expect(text('network/interfaces')).toBe(before);
    expect(await at.status()).toMatchObject({ ssh: { state: 'ready' }, vm: { ip: '127.0.0.1' } });
    expect(left()).toEqual([]);
  },
  wholeTrialMs,
);

it(
  'keeps the address at which it responds, and its other files unchanged',
  async () => {
    writeFileSync(file('resolv.conf'), 'nameserver 9.9.9.9\n');
    const before = text('network/interfaces');
    const { state, result } = await at.done('/api/setup/network', fixed);
    expect({ state, ip: result?.ip }).toEqual({ state: 'succeeded', ip: '192.168.1.50' });
    expect(text('network/interfaces')).toContain('address 192.168.1.50');
    expect(text('network/interfaces.bak')).toBe(before);
    expect(text('resolv.conf')).toBe('nameserver 192.168.1.1\n');
    expect(text('resolv.conf.bak')).toBe('nameserver 9.9.9.9\n');
    expect(left()).toEqual([]);
  },
  wholeTrialMs,
);
