// The configurations of docs/reverse-proxy.md in the proxies that they are written for, with a real agent behind each.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { pino } from 'pino';
import request from 'supertest';
import type { components } from '../../generated/platform.d.ts';
import { busPath } from '../../src/bus/websocket-relay.ts';
import { AgentProcess } from '../agent/support/agent.ts';
import { createAuthority, type Authority } from '../support/certificates.ts';
import { ConsoleSocket, consolePath, createTicket } from '../support/console-socket.ts';
import { root } from '../support/contract.ts';
import { freePort } from '../support/free-port.ts';
import { findProgram } from '../support/needs.ts';
import { until } from '../support/until.ts';
import { password, World, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];

const guide = readFileSync(join(root, 'docs/reverse-proxy.md'), 'utf8');
const fileBytes = 24_000_000;

/** The configuration of the guide, with the ports and files of the test instead of those of a machine of its own. */
function configured(language: string, replacements: readonly (readonly [string | RegExp, string])[]): string {
  let text = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(guide)?.[1] ?? '';
  for (const [found, here] of replacements) {
    const changed = text.replace(found, here);
    if (changed === text) throw new Error(`docs/reverse-proxy.md: ${language} has no ${String(found)}`);
    text = changed;
  }
  return text;
}

interface Place {
  directory: string;
  port: number;
  upstream: string;
  authority: Authority;
}

/** The command that runs each proxy in the foreground; its files are in the directory. */
const commands: Readonly<Record<string, (place: Place) => string[]>> = {
  Caddy: ({ directory, port, upstream }) => {
    const text = configured('caddyfile', [
      ['panel.example.com {', `https://localhost:${port} {\n  tls cert.pem key.pem`],
      ['127.0.0.1:3000', upstream],
    ]);
    const options = '{\n  admin off\n  auto_https disable_redirects\n}\n';
    writeFileSync(join(directory, 'Caddyfile'), options + text);
    return ['caddy', 'run', '--config', 'Caddyfile', '--adapter', 'caddyfile'];
  },
  nginx: ({ directory, port, upstream }) => {
    const text = configured('nginx', [
      ['listen 443', `listen 127.0.0.1:${port}`],
      ['/etc/letsencrypt/live/panel.example.com/fullchain.pem', join(directory, 'cert.pem')],
      ['/etc/letsencrypt/live/panel.example.com/privkey.pem', join(directory, 'key.pem')],
      ['panel.example.com', 'localhost'],
      ['127.0.0.1:3000', upstream],
    ]);
    const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${name};`,
    );
    const main = `daemon off; pid nginx.pid; error_log stderr;
events {}
http { access_log off; ${folders.join(' ')}
${text}}`;
    writeFileSync(join(directory, 'nginx.conf'), main);
    return ['nginx', '-p', directory, '-e', 'stderr', '-c', 'nginx.conf'];
  },
  HAProxy: ({ directory, port, upstream, authority: { cert, key } }) => {
    const text = configured('haproxy', [
      ['bind :443', `bind 127.0.0.1:${port}`],
      ['/etc/haproxy/gantry.pem', join(directory, 'gantry.pem')],
      ['127.0.0.1:3000', upstream],
    ]);
    writeFileSync(join(directory, 'gantry.pem'), Buffer.concat([cert, key]));
    writeFileSync(join(directory, 'haproxy.cfg'), text);
    return ['haproxy', '-db', '-f', 'haproxy.cfg'];
  },
};

class Proxy {
  readonly url: string;
  readonly #child: ChildProcess;
  output = '';

  constructor(name: string, place: Place) {
    const { directory, port, authority } = place;
    mkdirSync(directory);
    writeFileSync(join(directory, 'cert.pem'), authority.cert);
    writeFileSync(join(directory, 'key.pem'), authority.key);
    const [program = '', ...args] = commands[name]?.(place) ?? [];
    this.url = `https://localhost:${port}`;
    this.#child = spawn(findProgram(program) ?? program, args, {
      cwd: directory,
      env: { HOME: directory },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
  }

  async untilReady(): Promise<void> {
    const isReady = async () => {
      if (this.#child.exitCode !== null) throw new Error(this.output);
      return (await fetch(`${this.url}/readyz`).catch(() => undefined))?.ok;
    };
    await until(isReady, 'the proxy').catch((error: unknown) => {
      throw new Error(this.output, { cause: error });
    });
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await ended;
  }
}

let world: World;
let tenant: Tenant;
let directory: string;
let authority: Authority;
let upstream: string;
/** Where the platform sends agents to. */
const agentUrls: string[] = [];
/** What the platform logs. */
const remarks: string[] = [];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'gantry-proxies-'));
  authority = createAuthority(directory, 'Own authority');
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(authority.file, 'utf8')]);
  world = await World.create();
  tenant = await world.createTenant();
  const { url = '' } = await world.addReplica({
    bus: { ...world.nats, agentUrls },
    trustProxy: 1,
    log: pino({ level: 'info' }, { write: (line: string) => remarks.push(line) }),
  });
  upstream = new URL(url).host;
});

afterAll(async () => {
  await world.close();
  rmSync(directory, { recursive: true });
});

describe.each(Object.keys(commands))('%s', (name) => {
  let proxy: Proxy;
  let agent: AgentProcess;
  let instanceId: string;

  const call = (method: 'get' | 'post' | 'put', path: string) =>
    request(proxy.url)[method](path).set('Authorization', `Bearer ${tenant.owner.token}`);

  beforeAll(async () => {
    const place = { directory: join(directory, name), port: await freePort(), upstream, authority };
    proxy = new Proxy(name, place);
    await proxy.untilReady();
    agentUrls.splice(0, 1, `${proxy.url.replace('http', 'ws')}${busPath}`);
    agent = new AgentProcess(mkdtempSync(join(directory, 'agent-')));
    const files = join(agent.directory, 'root');
    mkdirSync(files);
    agent.configure([{ root: files }], { hostname: name.toLowerCase() });
    agent.start({
      GANTRY_URL: proxy.url,
      GANTRY_COMPANION_TOKEN: tenant.license.companion_token,
      NODE_EXTRA_CA_CERTS: authority.file,
    });
    instanceId = await until(async () => {
      const { body: hosts } = await call('get', '/api/fleet/hosts');
      const host = (hosts as Schemas['AgentHostPage']).data.find(
        ({ hostname }) => hostname === name.toLowerCase(),
      );
      const { body } = await call('get', '/api/fleet/instances');
      return (body as Schemas['GameInstancePage']).data.find(
        ({ host_id, state }) => host_id === host?.id && state !== 'offline',
      )?.id;
    }, 'the instance').catch((error: unknown) => {
      throw new Error(agent.output + proxy.output, { cause: error });
    });
  });

  afterAll(async () => {
    await agent.end('SIGKILL');
    await proxy.stop();
  });

  it('keeps a session in a secure cookie, and takes no address that the client claims for its own', async () => {
    const email = await world.createUser();
    const { body: signedIn } = await request(proxy.url)
      .post('/auth/login')
      .set('X-Forwarded-For', '203.0.113.9')
      .send({ email, password });
    const { session } = signedIn as Schemas['SignInResult'];
    const { body, headers, status } = await request(proxy.url)
      .post('/auth/browser-session')
      .set('Origin', proxy.url)
      .send({ refresh_token: session?.refresh_token });
    expect([status, headers['set-cookie']?.[0]]).toEqual([200, expect.stringContaining('; Secure')]);
    const { access_token } = body as Schemas['BrowserSession'];
    const { body: sessions } = await request(proxy.url)
      .get('/auth/sessions')
      .set('Authorization', `Bearer ${access_token}`)
      .expect(200);
    expect((sessions as Schemas['UserSessionPage']).data).toMatchObject([{ source: '127.0.0.1' }]);
  });

  it('passes events as they happen', async () => {
    const left = new AbortController();
    const response = await fetch(`${proxy.url}/api/events/stream`, {
      headers: { authorization: `Bearer ${tenant.owner.token}` },
      signal: left.signal,
    });
    let text = '';
    const reading = (async () => {
      for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
    })().catch(() => undefined);
    await until(() => text.includes('event: ready'), 'the beginning of the stream');
    await call('post', '/api/fleet/clusters')
      .send({ name: `Behind ${name}` })
      .expect(201);
    await until(() => text.includes('event: cluster.created'), 'the event');
    left.abort();
    await reading;
  });

  it('starts a server, and shows its console', async () => {
    const path = consolePath(instanceId, await createTicket(world, instanceId, tenant.owner));
    const console = await ConsoleSocket.at(world, path, proxy.url);
    await call('post', `/api/instances/${instanceId}/start`).expect(202);
    await until(() => console.texts.some((line) => line.startsWith('started ')), 'the line of the server');
    console.close();
  });

  it('passes a large file up and down over the connection of its own', async () => {
    const content = randomBytes(fileBytes);
    await call('put', `/api/instances/${instanceId}/files/upload?path=world.sav`)
      .set('Content-Type', 'application/octet-stream')
      .send(content)
      .expect(200);
    expect(readFileSync(join(agent.directory, 'root/world.sav')).equals(content)).toBe(true);
    const { body } = await call('get', `/api/instances/${instanceId}/files/download?path=world.sav`)
      .buffer(true)
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => done(null, Buffer.concat(chunks)));
      });
    expect((body as Buffer).equals(content)).toBe(true);
    expect(remarks.filter((line) => line.includes('data connections'))).toEqual([]);
  });

  it('hides the metrics', async () => {
    expect((await fetch(`${proxy.url}/metrics`)).status).toBe(404);
  });
});
