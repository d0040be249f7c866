// Outbound requests to user-supplied destinations, against real servers: targets, refusals and time limits.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { isPublic } from '../../src/outbound/destinations.ts';
import { Outbound, type OutboundRequest, type OutboundSettings } from '../../src/outbound/outbound.ts';
import { OutboundError } from '../../src/outbound/outbound-error.ts';
import { until } from '../support/until.ts';

const here = { allow: ['127.0.0.0/8'], allowsHttp: true };
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function open(settings: OutboundSettings = here): Outbound {
  const outbound = new Outbound(settings, () => undefined);
  closers.push(() => outbound.close());
  return outbound;
}

async function listen(server: Server | TcpServer): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const serve = (listener: RequestListener) => listen(createServer(listener));

const ask = (outbound: Outbound, url: string, options: Partial<OutboundRequest> = {}) =>
  outbound.send({ method: 'GET', url, headers: {}, timeoutMs: 5_000, maxBytes: 4_096, ...options });

async function failureOf(sending: Promise<unknown>): Promise<string> {
  try {
    await sending;
  } catch (error) {
    if (error instanceof OutboundError) return error.failure;
    throw error;
  }
  return 'sent';
}

const refusedAddresses = {
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  'the machine itself': ['0.0.0.0', '0.1.2.3', '::'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12:3456::1', 'fec0::1'],
  'link-local and metadata': ['169.254.169.254', 'fe80::1', 'fe80::1%eth0', 'fd00:ec2::254', '168.63.129.16'],
  'shared by carriers': ['100.64.0.1', '100.100.100.200', '100.127.255.255'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', '255.255.255.255'],
  reserved: ['192.0.0.192', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '240.0.0.1'],
  'IPv4 within IPv6': ['::ffff:127.0.0.1', '::ffff:7f00:1', '::127.0.0.1', '::7f00:1', '::ffff:0:7f00:1'],
  'IPv4 through NAT64': ['64:ff9b::7f00:1', '64:ff9b::169.254.169.254', '64:ff9b:1::a00:1'],
  'IPv4 through tunnels': ['2002:7f00:1::', '2001:0:7f00:1::'],
  'of no use': ['2001:db8::1', '100::1', '5f00::1', '4000::1', 'nonsense', '', '127.1'],
};

describe('an address', () => {
  it.each(Object.entries(refusedAddresses))('that is %s is not public', (_, addresses) => {
    expect(addresses.filter(isPublic)).toEqual([]);
  });

  it('on the internet is public, in either notation', () => {
    const addresses = ['1.1.1.1', '93.184.215.14', '172.32.0.1', '2606:4700::1111', '::ffff:1.1.1.1'];
    expect(addresses.filter((address) => !isPublic(address))).toEqual([]);
  });

  it('of IPv4 counts the same when written as IPv6', () => {
    const byte = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(fc.tuple(byte, byte, byte, byte), (bytes) => {
        const address = bytes.join('.');
        expect(isPublic(`::ffff:${address}`)).toBe(isPublic(address));
      }),
    );
  });
});

describe('a URL', () => {
  const outbound = () => open({ allow: [], allowsHttp: false });

  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://017700000001/',
    'https://0177.0.0.1/',
    'https://①②⑦.0.0.1/',
    'https://127.0.0.1./',
    'https://0/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[fe80::1]/',
    'https://10.0.0.1:8443/',
  ])('with a private address is refused: %s', async (url) => {
    expect(() => outbound().check(url)).toThrow(expect.objectContaining({ failure: 'address_refused' }));
    expect(await failureOf(ask(outbound(), url))).toBe('address_refused');
  });

  it.each([
    ['http://example.com/', 'must begin with https://'],
    ['ftp://example.com/', 'must begin with https://'],
    ['file:///etc/passwd', 'must begin with https://'],
    ['data:text/plain,hello', 'must begin with https://'],
    ['gopher://example.com/', 'must begin with https://'],
    ['example.com', 'not a URL'],
    ['', 'not a URL'],
    ['https://', 'not a URL'],
    ['https://user@example.com/', 'no user name'],
    ['https://:password@example.com/', 'no user name'],
    ['https://example.com:25/', 'port'],
    ['https://example.com:22/', 'port'],
    [`https://example.com/${'a'.repeat(2_000)}`, 'at most'],
  ])('of an unsupported form is refused: %s', async (url, detail) => {
    expect(() => outbound().check(url)).toThrow(
      expect.objectContaining({ failure: 'url_refused', message: expect.stringContaining(detail) }),
    );
    expect(await failureOf(ask(outbound(), url))).toBe('url_refused');
  });

  it('with a public address is accepted, over http only where allowed', () => {
    for (const url of ['https://example.com/', 'https://example.com:8443/hook?a=b#c', 'https://1.1.1.1/'])
      outbound().check(url);
    open(here).check('http://example.com:8080/');
  });
});

describe('a name', () => {
  it('is resolved once for each connection, which goes to the checked address', async () => {
    const port = await serve((_, reply) => reply.end('reached'));
    const names: string[] = [];
    const responses = [['127.0.0.1'], ['10.0.0.1']];
    const outbound = open({
      ...here,
      resolve: (name) => {
        names.push(name);
        return Promise.resolve(responses.shift() ?? []);
      },
    });
    const reply = await ask(outbound, `http://receiver.example.com:${port}/`);
    expect(reply).toMatchObject({ status: 200, text: 'reached', isCut: false });
    expect(names).toEqual(['receiver.example.com']);
  });

  it.each([
    ['to a private address', ['10.0.0.1']],
    ['to a public and a private address', ['93.184.215.14', '127.0.0.1']],
    ['to metadata', ['169.254.169.254']],
    ['to a private address in IPv6', ['2606:4700::1111', '::ffff:10.0.0.1']],
  ])('that resolves to %s is refused, without a connection', async (_, addresses) => {
    let connections = 0;
    const server = createTcpServer(() => (connections += 1));
    const port = await listen(server);
    const outbound = open({ allow: [], allowsHttp: true, resolve: () => Promise.resolve(addresses) });
    expect(await failureOf(ask(outbound, `http://receiver.example.com:${port}/`))).toBe('address_refused');
    expect(connections).toBe(0);
  });

  it('is refused when it resolves differently for the next connection', async () => {
    const port = await serve((_, reply) => reply.setHeader('connection', 'close').end('reached'));
    const responses = [['127.0.0.1'], ['192.168.0.1']];
    const outbound = open({ ...here, resolve: () => Promise.resolve(responses.shift() ?? []) });
    const url = `http://receiver.example.com:${port}/`;
    expect(await failureOf(ask(outbound, url))).toBe('sent');
    expect(await failureOf(ask(outbound, url))).toBe('address_refused');
  });

  it.each([
    ['does not exist', () => Promise.reject(new Error('ENOTFOUND'))],
    ['has no address', () => Promise.resolve([])],
  ])('that %s is reported as such', async (_, resolve) => {
    const outbound = open({ ...here, resolve });
    expect(await failureOf(ask(outbound, 'http://receiver.example.com/'))).toBe('unresolved');
  });

  it('whose lookup never ends times out', async () => {
    const outbound = open({ ...here, resolve: () => new Promise(() => undefined) });
    expect(await failureOf(ask(outbound, 'http://receiver.example.com/', { timeoutMs: 100 }))).toBe(
      'timed_out',
    );
  });

  it('that resolves too late gets no request', async () => {
    const asked: string[] = [];
    const port = await serve(({ url }, reply) => {
      asked.push(url ?? '');
      reply.end('here');
    });
    const found = Promise.withResolvers<string[]>();
    const outbound = open({ ...here, resolve: () => found.promise });
    const url = (path: string) => `http://receiver.example.com:${port}${path}`;
    expect(await failureOf(ask(outbound, url('/late'), { timeoutMs: 50 }))).toBe('timed_out');
    found.resolve(['127.0.0.1']);
    expect(await ask(outbound, url('/in-time'))).toMatchObject({ text: 'here' });
    expect(asked).toEqual(['/in-time']);
  });

  it('of this machine is refused like its address', async () => {
    const outbound = open({ allow: [], allowsHttp: true });
    for (const name of ['localhost', 'LOCALHOST', 'localhost.', 'api.localhost'])
      expect(await failureOf(ask(outbound, `http://${name}:8080/`))).toBe('address_refused');
  });
});

describe('an address that is public', () => {
  const own = () => ['93.184.215.14', '2606:4700::1111'];

  it.each([
    '93.184.215.14',
    '[2606:4700::1111]',
    '[2606:4700:0::1111]',
    '[::ffff:93.184.215.14]',
    '1572394766',
  ])('but belongs to the machine itself is refused: %s', async (host) => {
    const outbound = open({ allow: [], allowsHttp: true, own });
    expect(() => outbound.check(`http://${host}/`)).toThrow(OutboundError);
    expect(await failureOf(ask(outbound, `http://${host}/`))).toBe('address_refused');
  });

  it('but belongs to the machine itself is refused behind a name too, and accepted where it is allowed', async () => {
    const resolve = () => Promise.resolve(['1.1.1.1', '93.184.215.14']);
    const outbound = open({ allow: [], allowsHttp: true, own, resolve });
    expect(await failureOf(ask(outbound, 'http://receiver.example.com/'))).toBe('address_refused');
    open({ allow: ['93.184.215.14'], allowsHttp: true, own }).check('http://93.184.215.14/');
    open({ allow: [], allowsHttp: true, own }).check('http://93.184.215.15/');
  });

  it('is compared with the current interfaces', async () => {
    const addresses: string[] = [];
    const outbound = open({ allow: [], allowsHttp: true, own: () => addresses });
    outbound.check('http://93.184.215.14/');
    addresses.push('93.184.215.14');
    expect(() => outbound.check('http://93.184.215.14/')).toThrow(OutboundError);
  });

  it('or allowed is refused where it is denied, in either notation and behind a name', async () => {
    const deny = ['93.184.215.0/24', '127.0.0.0/30', '2606:4700::/32'];
    const outbound = open({
      ...here,
      deny,
      resolve: () => Promise.resolve(['1.1.1.1', '2606:4700::1111']),
    });
    for (const host of ['93.184.215.14', '127.0.0.1', '[2606:4700::1]', '[::ffff:5db8:d70e]'])
      expect(() => outbound.check(`http://${host}/`)).toThrow(OutboundError);
    outbound.check('http://127.0.0.5/');
    outbound.check('http://93.184.216.14/');
    expect(await failureOf(ask(outbound, 'http://receiver.example.com/'))).toBe('address_refused');
  });
});

describe('a response', () => {
  it('is returned with any status', async () => {
    const port = await serve((_, reply) => reply.writeHead(500, { 'x-kind': 'broken' }).end('no'));
    expect(await ask(open(), `http://127.0.0.1:${port}/`)).toMatchObject({
      status: 500,
      headers: { 'x-kind': 'broken' },
      text: 'no',
    });
  });

  it('that redirects is the result, wherever it points', async () => {
    for (const location of ['http://127.0.0.1:1/', 'http://169.254.169.254/latest/meta-data/']) {
      const port = await serve((_, reply) => reply.writeHead(302, { location }).end());
      expect(await ask(open(), `http://127.0.0.1:${port}/`)).toMatchObject({ status: 302, text: '' });
    }
  });

  it('that streams endlessly is read up to the limit, and its connection is ended', async () => {
    const ended = Promise.withResolvers<void>();
    const port = await serve((_, reply) => {
      const write = () => {
        while (!reply.destroyed && reply.write('x'.repeat(65_536)));
      };
      reply.on('drain', write).on('close', ended.resolve);
      write();
    });
    const reply = await ask(open(), `http://127.0.0.1:${port}/`);
    expect(reply).toMatchObject({ status: 200, isCut: true, text: 'x'.repeat(4_096) });
    await ended.promise;
  });

  it('is the final one, after any interim ones', async () => {
    const port = await serve((_, reply) => {
      reply.writeProcessing();
      reply.writeEarlyHints({ link: '</a>; rel=preload' });
      reply.writeHead(201, { 'x-kind': 'last' }).end('made');
    });
    expect(await ask(open(), `http://127.0.0.1:${port}/`)).toMatchObject({
      status: 201,
      headers: { 'x-kind': 'last' },
      text: 'made',
    });
  });

  it('in pieces is joined, including split characters', async () => {
    const [text, port] = ['Grüße, ✓', await serve((_, reply) => void send(reply))];
    const send = async (reply: ServerResponse) => {
      for (const byte of Buffer.from(text)) await new Promise((sent) => reply.write(Buffer.of(byte), sent));
      reply.end();
    };
    expect(await ask(open(), `http://127.0.0.1:${port}/`)).toMatchObject({ text, isCut: false });
    expect(await ask(open(), `http://127.0.0.1:${port}/`, { maxBytes: 2 })).toMatchObject({
      text: 'Gr',
      isCut: true,
    });
  });

  it('of exactly the maximum size is complete', async () => {
    const port = await serve((_, reply) => reply.end('x'.repeat(4_096)));
    expect(await ask(open(), `http://127.0.0.1:${port}/`)).toMatchObject({ isCut: false });
  });

  it.each([
    ['never begins', () => undefined],
    ['never ends', (_, reply) => void reply.writeHead(200).write('a')],
  ] satisfies [string, RequestListener][])('that %s times out', async (_, listener) => {
    const port = await serve(listener);
    expect(await failureOf(ask(open(), `http://127.0.0.1:${port}/`, { timeoutMs: 200 }))).toBe('timed_out');
  });

  it('that is interrupted, not HTTP, or with endless headers is an error', async () => {
    const port = await listen(
      createTcpServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', (data) => {
          const path = data.toString().split(' ')[1] ?? '';
          if (path === '/break') socket.destroy();
          else if (path === '/noise') socket.end('220 mail.example.com ESMTP\r\n');
          else socket.write(`HTTP/1.1 200 OK\r\nx-long: ${'x'.repeat(20_000)}\r\n`);
        });
      }),
    );
    for (const path of ['/break', '/noise', '/headers'])
      expect(await failureOf(ask(open(), `http://127.0.0.1:${port}${path}`))).toBe('connection_failed');
  });

  it('of a closed port is an error', async () => {
    const server = createTcpServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await failureOf(ask(open(), `http://127.0.0.1:${port}/`))).toBe('connection_failed');
  });
});

it('proxies of the environment are not used', async () => {
  let proxied = 0;
  const proxy = await serve((_, reply) => {
    proxied += 1;
    reply.end();
  });
  const port = await serve((_, reply) => reply.end('direct'));
  const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
  for (const name of names) process.env[name] = name.startsWith('NODE') ? '1' : `http://127.0.0.1:${proxy}`;
  closers.push(() => names.forEach((name) => delete process.env[name]));
  expect(await ask(open(), `http://127.0.0.1:${port}/`)).toMatchObject({ text: 'direct' });
  expect(proxied).toBe(0);
});

it('over https the certificate must match the requested name', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'gantry-tls-'));
  closers.push(() => rmSync(directory, { recursive: true }));
  const [keyFile, certificateFile] = [join(directory, 'key.pem'), join(directory, 'certificate.pem')];
  execFileSync(
    'openssl',
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=receiver
     -addext subjectAltName=DNS:receiver.example.com -keyout ${keyFile} -out ${certificateFile}`.split(/\s+/),
    { stdio: 'ignore' },
  );
  const [key, authorities] = [readFileSync(keyFile), readFileSync(certificateFile, 'utf8')];
  const seen: unknown[] = [];
  const server = createTlsServer({ key, cert: authorities }, (message, reply) => {
    seen.push((message.socket as { servername?: unknown }).servername);
    reply.end('secret');
  });
  const port = await listen(server);
  const resolve = () => Promise.resolve(['127.0.0.1']);
  const settings = { allow: ['127.0.0.1'], allowsHttp: false, resolve };
  const trusting = open({ ...settings, authorities });
  expect(await ask(trusting, `https://receiver.example.com:${port}/`)).toMatchObject({ text: 'secret' });
  expect(await failureOf(ask(trusting, `https://other.example.com:${port}/`))).toBe('connection_failed');
  expect(await failureOf(ask(trusting, `https://127.0.0.1:${port}/`))).toBe('connection_failed');
  expect(await failureOf(ask(open(settings), `https://receiver.example.com:${port}/`))).toBe(
    'connection_failed',
  );
  expect(seen).toEqual(['receiver.example.com']);
});

it('no request waits for responses to others from the same receiver', async () => {
  const held: (() => unknown)[] = [];
  closers.push(() => held.forEach((release) => release()));
  const port = await serve(({ url }, reply) => {
    if (url === '/slow') held.push(() => reply.end());
    else reply.end('at once');
  });
  const outbound = open();
  const slow = Array.from({ length: 64 }, () =>
    failureOf(ask(outbound, `http://127.0.0.1:${port}/slow`, { timeoutMs: 60_000 })),
  );
  expect(await ask(outbound, `http://127.0.0.1:${port}/fast`)).toMatchObject({ text: 'at once' });
  await until(() => held.length === slow.length, 'the slow requests');
  held.splice(0).forEach((release) => release());
  expect(await Promise.all(slow)).toEqual(slow.map(() => 'sent'));
});

it('nothing is kept of receivers that are gone', async () => {
  const outbound = open();
  const server = createTcpServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      failureOf(ask(outbound, `http://127.0.${index}.2:${port}/`, { timeoutMs: 2_000 })),
    ),
  );
  expect(outbound.receivers).toBe(0);
});

it('it is refused at once where waiting is not allowed', async () => {
  const outbound = new Outbound(here, () => {
    throw new Error('not here');
  });
  closers.push(() => outbound.close());
  await expect(ask(outbound, 'http://127.0.0.1:8080/')).rejects.toThrow('not here');
});
