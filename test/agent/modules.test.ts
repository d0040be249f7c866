// Modules at the agent: fetched from their address, checked, put in their place, and never anything else.
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Stage } from './support/agent.ts';
import { PluginSender, sha256, sourceOf } from './support/plugins.ts';

let stage: Stage;
let plugins: PluginSender;
let server: Server;
let requests: number;
let respond: (response: ServerResponse) => void;

const source = sourceOf('GantryEvents');

beforeEach(async () => {
  stage = await Stage.open();
  plugins = new PluginSender(stage);
  requests = 0;
  respond = (response) => void response.end(source);
  server = createServer((_request, response) => {
    requests += 1;
    respond(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  mkdirSync(folder(), { recursive: true });
  stage.agent.configure([{}], { private_module_addresses: true });
  await stage.startAgent();
});

afterEach(async () => {
  expect(stage.platform.violations).toEqual([]);
  await stage.close();
  server.closeAllConnections();
  server.close();
});

const folder = () => join(stage.agent.directory, 'oxide', 'plugins');
const place = () => join(folder(), 'GantryEvents.cs');

const install = (values: object = {}) =>
  plugins.run('install_module', {
    plugin: 'GantryEvents',
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/GantryEvents.cs`,
    sha256: sha256(source),
    bytes: Buffer.byteLength(source),
    ...values,
  });

it('what arrives whole is put in its place, and what was there is kept as a copy', async () => {
  writeFileSync(place(), sourceOf('GantryEvents', '0.9.0'));
  expect(await install()).toMatchObject({ status: 'succeeded' });
  expect(readFileSync(place(), 'utf8')).toBe(source);
  expect(await plugins.copies()).toMatchObject([{ plugin: 'GantryEvents' }]);
});

it('a connection that breaks, or a server that is busy, is tried again', async () => {
  const responders: ((response: ServerResponse) => void)[] = [
    (response) => void response.writeHead(503).end(),
    (response) => {
      response.writeHead(200, { 'content-length': Buffer.byteLength(source) });
      response.write(source.slice(0, 20), () => response.destroy());
    },
  ];
  respond = (response) => (responders.shift() ?? ((last: ServerResponse) => void last.end(source)))(response);
  expect(await install()).toMatchObject({ status: 'succeeded' });
  expect([requests, readFileSync(place(), 'utf8')]).toEqual([3, source]);
});

const refusals: Record<string, [() => void, object, string]> = {
  'another checksum': [() => undefined, { sha256: '0'.repeat(64) }, 'its checksum is wrong'],
  'more than was promised': [
    () => (respond = (response) => void response.end(`${source} // more`)),
    {},
    'it is longer',
  ],
  'a response that never ends': [
    () => (respond = (response) => response.write('x'.repeat(100_000), () => respond(response))),
    {},
    'it is longer',
  ],
  'a redirect': [
    () => (respond = (response) => void response.writeHead(302, { location: '/elsewhere' }).end()),
    {},
    'status 302',
  ],
  'nothing there': [() => (respond = (response) => void response.writeHead(404).end()), {}, 'status 404'],
};

it.each(Object.entries(refusals))(
  '%s is refused, and nothing is put in its place',
  async (_name, refusal) => {
    const [prepare, values, detail] = refusal;
    prepare();
    expect(await install(values)).toMatchObject({
      status: 'failed',
      error_code: 'module_not_fetched',
      detail: expect.stringContaining(detail),
    });
    expect([existsSync(place()), requests]).toEqual([false, 1]);
  },
);

it('what is no plugin of that name is refused', async () => {
  const other = sourceOf('Other');
  respond = (response) => void response.end(other);
  expect(await install({ sha256: sha256(other), bytes: Buffer.byteLength(other) })).toMatchObject({
    status: 'failed',
    error_code: 'files_refused',
    detail: expect.stringContaining('declares no class GantryEvents'),
  });
  expect(existsSync(place())).toBe(false);
});

it.each(['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]'])(
  'an address within the network of the host is refused unless the file allows it: %s',
  async (name) => {
    await stage.agent.end();
    stage.agent.configure([{}]);
    await stage.startAgent();
    const { port } = server.address() as AddressInfo;
    expect(await install({ url: `http://${name}:${port}/GantryEvents.cs` })).toMatchObject({
      status: 'failed',
      error_code: 'module_not_fetched',
      detail: expect.stringMatching(/^It is not fetched: .* public/),
    });
    expect([existsSync(place()), requests]).toEqual([false, 0]);
  },
);
