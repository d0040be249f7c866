// The addresses of the virtual machine: those that it is looked for at, and the fixed one that it is given.
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { firstAnswering } from '../../local-manager/src/guest-shell/knock.ts';
import { writeProgram } from '../../local-manager/stand-ins/guest.ts';
import { StandInWorld } from '../../local-manager/stand-ins/world.ts';
import { ManagerWorld } from './support/manager.ts';

/** Of this machine too, and nobody listens there. */
const former = '127.0.0.2';
const here = '127.0.0.1';

it('is found at the first address that answers, whatever it had before', async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, here);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await firstAnswering([former, here], port)).toBe(here);
  expect(await firstAnswering([here, former], port)).toBe(here);
  server.close();
  await once(server, 'close');
  expect(await firstAnswering([former, here], port)).toBe(former);
  expect(await firstAnswering([former], port)).toBe(former);
  expect(await firstAnswering([], port)).toBeNull();
});

describe('a virtual machine that is there', () => {
  const fixed = '192.168.77.5';
  let at: ManagerWorld;

  beforeAll(async () => {
    const world = await StandInWorld.start({ begins: 'imported' });
    const interfaces = join(world.folder, 'guest/etc/network/interfaces');
    const environment = world.environment.bind(world);
    // The network between the two: the fixed address leads there once the virtual machine says that it is its own.
    const ssh = join(world.folder, 'bin/ssh');
    writeProgram(
      ssh,
      `#!/bin/sh
for argument do
  shift
  [ "$argument" = ${fixed} ] && grep -q 'address ${fixed}' '${interfaces}' && argument=${here}
  set -- "$@" "$argument"
done
exec ssh "$@"
`,
    );
    world.environment = (home) => ({ ...environment(home), LOCAL_MANAGER_SSH: ssh });
    at = await ManagerWorld.in(world);
  });

  afterAll(() => at.stop());

  it('is looked for at each address that Windows knows of', async () => {
    at.world.host.addresses = ['169.254.9.9', former, here];
    expect(await at.status()).toMatchObject({ vm: { ip: here }, ssh: { state: 'ready' } });
    at.world.host.addresses = [here];
  });

  it('is given a fixed address, and found there afterwards', async () => {
    const request = {
      ...{ mode: 'static', staticIp: fixed, staticPrefixLength: 24, staticGateway: '192.168.77.1' },
      ...{ staticDns: ['9.9.9.9', '192.168.77.1'], playerIp: '203.0.113.7' },
    };
    const set = await at.done('/api/setup/network', request);
    expect(set).toMatchObject({ state: 'succeeded', result: { ip: fixed } });
    const etc = (name: string) => readFileSync(join(at.world.folder, 'guest/etc', name), 'utf8');
    expect(etc('network/interfaces')).toContain(
      `iface eth0 inet static\n\taddress ${fixed}\n\tnetmask 255.255.255.0\n\tgateway 192.168.77.1\n`,
    );
    expect(etc('resolv.conf')).toBe('nameserver 9.9.9.9\nnameserver 192.168.77.1\n');
    expect(etc('rc-service.log')).toBe('networking restart\n');
    expect(at.world.guest.lineFour()).toBe('203.0.113.7');
    expect((await at.get('/api/setup')).body.nextStep).toBe('security');
  });

  it('keeps what it has when the gateway is none', async () => {
    const request = { mode: 'static', staticIp: fixed, staticPrefixLength: 24, staticGateway: '10.0.0.1' };
    expect((await at.post('/api/setup/network', request)).body.code).toBe('invalid_address');
  });
});
