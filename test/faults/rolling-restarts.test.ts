// API replicas replaced one by one behind a TCP balancer, with clients that keep their connections.
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { TestAgent } from '../support/agent.ts';
import { consolePath, ConsoleSocket, createTicket } from '../support/console-socket.ts';
import { KeepAliveClient, sumOf } from '../support/keep-alive-client.ts';
import { mapFile } from '../support/map-file.ts';
import type { Program } from '../support/processes.ts';
import { startReplica } from '../support/replicas.ts';
import { createInstance } from '../support/rows.ts';
import { TcpBalancer } from '../support/tcp-balancer.ts';
import { until } from '../support/until.ts';
import { World, type Tenant } from '../support/world.ts';

const clientCount = 6;

interface Replica {
  program: Program;
  url: string;
}

let world: World;
let tenant: Tenant;
let balancer: TcpBalancer;
let number = 0;

beforeAll(async () => {
  world = await World.create();
  tenant = await world.createTenant();
  balancer = await TcpBalancer.start();
});

afterAll(async () => {
  await balancer.stop();
  await world.close();
});

async function addReplica(): Promise<Replica> {
  const program = await startReplica(world, ['api'], {
    PORT: '0',
    GANTRY_PUBLIC_URL: '',
    GANTRY_STOP_SECONDS: '30',
    GANTRY_DRAIN_SECONDS: '2',
    GANTRY_RATE_LIMIT_FACTOR: '1000',
  });
  const replica = { program, url: program.readyUrl };
  await balancer.add(replica.url);
  return replica;
}

const authorized = () => ({ authorization: `Bearer ${tenant.owner.token}` });

/** An upload in two parts, the second of which is sent when `finish` is called. */
async function beginUpload() {
  const boundary = 'boundary-of-this-upload';
  const head = [
    `--${boundary}\r\nContent-Disposition: form-data; name="name"\r\n\r\nUnder way\r\n`,
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.map"\r\n\r\n`,
  ];
  const file = mapFile();
  const { hostname, port } = new URL(balancer.url);
  const request = httpRequest({
    hostname,
    port,
    method: 'POST',
    path: '/api/maps',
    headers: { ...authorized(), 'content-type': `multipart/form-data; boundary=${boundary}` },
    agent: false,
  });
  const response = once(request, 'response') as Promise<[IncomingMessage]>;
  response.catch(() => undefined);
  await new Promise((resolve) =>
    request.write(Buffer.concat([Buffer.from(head.join('')), file.subarray(0, 100)]), resolve),
  );
  return {
    finish: async () => {
      request.end(Buffer.concat([file.subarray(100), Buffer.from(`\r\n--${boundary}--\r\n`)]));
      const [reply] = await response;
      reply.resume();
      return reply.statusCode;
    },
  };
}

async function openConsole(): Promise<ConsoleSocket> {
  const agent = await TestAgent.connect(world, tenant);
  const instanceId = await createInstance(world, tenant, { host_id: agent.hostId, name: 'main' });
  const ticket = await createTicket(world, instanceId, tenant.owner);
  return ConsoleSocket.at(world, consolePath(instanceId, ticket), balancer.url);
}

const isListening = (url: string) =>
  fetch(`${url}/healthz`).then(
    (response) => response.ok,
    () => false,
  );

/** Every client sends one request after the other for as long as the work takes. */
async function underLoad(clients: readonly KeepAliveClient[], work: () => Promise<void>): Promise<void> {
  let isOver = false;
  const load = clients.map(async (client) => {
    while (!isOver) {
      await client.send({ method: 'GET', path: '/api/fleet/clusters?limit=1', headers: authorized() });
      await client.send({
        method: 'POST',
        path: '/api/fleet/clusters',
        headers: { ...authorized(), 'content-type': 'application/json' },
        body: JSON.stringify({ name: `Cluster ${++number}` }),
      });
    }
  });
  try {
    await work();
  } finally {
    isOver = true;
    await Promise.all(load);
    for (const client of clients) client.close();
  }
}

it('cuts no request and no upload, and notifies sockets of the shutdown', async () => {
  const first = await addReplica();
  const clients = Array.from({ length: clientCount }, () => new KeepAliveClient(balancer.url));
  await underLoad(clients, async () => {
    const upload = await beginUpload();
    const console = await openConsole();
    const second = await addReplica();

    const stopped = first.program.signal('SIGTERM');
    await balancer.untilLeft(first.url);
    await until(async () => !(await isListening(first.url)), 'the end of listening', 30_000);
    expect(await upload.finish()).toBe(201);
    expect(await console.closed()).toBe(1001);
    await stopped;
    expect(await first.program.ended()).toBe(0);
    balancer.remove(first.url);

    await addReplica();
    await second.program.signal('SIGTERM');
    expect(await second.program.ended()).toBe(0);
    balancer.remove(second.url);
  });
  const { responses, cut } = sumOf(clients);
  expect(cut).toEqual([]);
  expect([...responses.keys()].sort()).toEqual(['GET 200', 'POST 201']);
  const [{ made } = { made: 0 }] = await world.database.query<{ made: number }>(
    'select count(*)::int as made from instance_cluster where license_id = $1',
    [tenant.license.id],
  );
  expect(responses.get('POST 201')).toBe(made);
});
