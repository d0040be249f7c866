// The check for a newer version, against a file that may be anything.
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readConfig } from '../../local-manager/src/config.ts';
import { isNewer, releaseIn, Updates } from '../../local-manager/src/updates/updates.ts';

describe('the file', () => {
  it.each([
    ['no JSON', 'version 1.5.0'],
    ['a list', '["1.5.0"]'],
    ['another type', '{"version":150}'],
    ['another form', '{"version":"1.5.0-rc.1"}'],
    ['a path', '{"version":"../../1.5.0"}'],
  ])('with %s names no version', (_name, text) => expect(releaseIn(text)).toBeNull());

  it('gives links over HTTPS and plain text only', () => {
    const of = (fields: object) => releaseIn(JSON.stringify({ version: '1.5.0', ...fields }));
    expect(of({ url: 'javascript:alert(1)' })?.url).toBeNull();
    expect(of({ url: 'http://example.org/' })?.url).toBeNull();
    expect(of({ url: 'https://user:password@example.org/' })?.url).toBeNull();
    expect(of({ url: 'https://example.org/download' })?.url).toBe('https://example.org/download');
    expect(of({ notes: 'a\u0000b\u202ec' })?.notes).toBe('a b c');
    expect(of({ notes: 'x'.repeat(5_000) })?.notes).toHaveLength(2_000);
    expect(of({ notes: ['a'] })).toEqual({ version: '1.5.0', url: null, notes: null });
  });

  it.each([
    ['1.4.1', '1.4.0', true],
    ['1.10.0', '1.9.9', true],
    ['2.0.0', '1.99.99', true],
    ['1.4.0', '1.4.0', false],
    ['1.3.9', '1.4.0', false],
  ])('%s is newer than %s: %s', (version, than, expected) => expect(isNewer(version, than)).toBe(expected));
});

describe('the check', () => {
  let server: Server;
  let reply: RequestListener;
  let requests: number;

  beforeEach(async () => {
    requests = 0;
    reply = (_request, response) => response.end('{"version":"1.5.0"}');
    server = createServer((request, response) => {
      requests += 1;
      reply(request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/latest.json`;
  const updates = () => new Updates({ url: url(), version: '1.4.0' });

  it('reads the file once in twelve hours, unless it is asked to', async () => {
    const service = updates();
    const [first] = await Promise.all([service.check(false), service.check(false)]);
    expect(first).toMatchObject({ isNewer: true, latest: { version: '1.5.0' }, fault: null });
    await service.check(false);
    expect(requests).toBe(1);
    await service.check(true);
    expect(requests).toBe(2);
  });

  it.each<[string, RequestListener, string]>([
    [
      'a redirect',
      (_, response) => response.writeHead(302, { Location: url() }).end(),
      'could not be reached',
    ],
    ['an error', (_, response) => response.writeHead(500).end('{"version":"9.9.9"}'), 'status 500'],
    ['a file without an end', (_, response) => endless(response), 'expected format'],
    ['a broken connection', (request) => request.socket.destroy(), 'could not be reached'],
  ])('says why after %s', async (_name, listener, text) => {
    reply = listener;
    const found = await updates().check(false);
    expect(found).toMatchObject({ isNewer: false, latest: null });
    expect(found.fault).toContain(text);
  });

  it('asks nothing without an address, and takes none that is not encrypted', async () => {
    const found = await new Updates({ url: undefined, version: '1.4.0' }).check(true);
    expect(found).toMatchObject({ isConfigured: false, latest: null, checkedAt: null });
    expect(() => readConfig({ LOCAL_MANAGER_UPDATE_URL: 'http://example.org/latest.json' })).toThrow(
      'https://',
    );
  });
});

function endless(response: Parameters<RequestListener>[1]): void {
  response.write('{"version":"9.9.9","notes":"');
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(16_384)));
  };
  response.on('drain', more);
  more();
}
