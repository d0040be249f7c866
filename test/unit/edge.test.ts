// Middleware of every request: precomputed helmet headers, and the line of the access log.
import express, { type RequestHandler } from 'express';
import helmet, { type HelmetOptions } from 'helmet';
import { Writable } from 'node:stream';
import request from 'supertest';
import { createPlatformLog } from '../../src/process/log.ts';
import { accessLog, constantHeaders, pathForLog, requestId } from '../../src/contract/request-entry.ts';
import { until } from '../support/until.ts';

async function headersBy(middleware: RequestHandler): Promise<Record<string, unknown>> {
  const app = express().use(middleware);
  app.get('/', (_request, response) => void response.set('Date', 'now').send('here'));
  const { headers }: { headers: Record<string, unknown> } = await request(app).get('/').expect(200);
  return headers;
}

describe('precomputed headers', () => {
  it.each<[string, HelmetOptions]>([
    ['nothing', {}],
    ['a policy for content', { contentSecurityPolicy: { directives: { defaultSrc: ["'none'"] } } }],
    ['no transport security', { strictTransportSecurity: false, frameguard: { action: 'deny' } }],
    ['every header', { crossOriginEmbedderPolicy: true, crossOriginResourcePolicy: { policy: 'same-site' } }],
    ['a referrer', { referrerPolicy: { policy: ['origin', 'same-origin'] } }],
  ])('are those of helmet, asked for %s', async (_, options) => {
    const own = await headersBy(helmet(options));
    const { 'x-powered-by': _given, ...found } = await headersBy(constantHeaders(helmet(options)));
    expect(found).toEqual(own);
    expect(Object.keys(own).length).toBeGreaterThan(10);
  });

  it('can be changed by handlers', async () => {
    const own: RequestHandler = (_request, response, next) => {
      response.setHeader('Referrer-Policy', 'origin');
      next();
    };
    const hardened = constantHeaders(helmet());
    const both: RequestHandler = (asked, response, next) =>
      hardened(asked, response, () => own(asked, response, next));
    expect(await headersBy(both)).toMatchObject({ 'referrer-policy': 'origin' });
    expect(await headersBy(hardened)).toMatchObject({ 'referrer-policy': 'no-referrer' });
  });

  it('are not built from a middleware that fails', () => {
    const failing: RequestHandler = (_request, _response, next) => next(new Error('no such policy'));
    expect(() => constantHeaders(failing)).toThrow('could not be made');
  });
});

describe('the access log', () => {
  it('has one line for each response, without query or headers', async () => {
    const lines: string[] = [];
    const log = createPlatformLog(
      'info',
      new Writable({
        write: (chunk: Buffer, _encoding, done) => {
          lines.push(chunk.toString());
          done();
        },
      }),
    );
    const observed: unknown[][] = [];
    const app = express().use(
      requestId,
      accessLog(log, (...seen) => observed.push(seen)),
    );
    app.get('/gone', (_request, response) => void response.status(410).send('gone'));
    await request(app)
      .get('/gone?ticket=sesame')
      .set({ 'X-Request-Id': 'request-1', Authorization: 'Bearer sesame' })
      .expect(410);
    await until(() => lines.length > 0, 'the line');
    log.warn({ ticket: 'sesame', nested: { password: 'sesame' } }, 'a line of another kind');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        service: 'gantry',
        request_id: 'request-1',
        method: 'GET',
        path: '/gone',
        status: 410,
        ms: expect.any(Number),
        msg: 'request',
      },
      expect.objectContaining({ ticket: '[redacted]', nested: { password: '[redacted]' } }),
    ]);
    expect(lines.join('')).not.toContain('sesame');
    expect(observed).toEqual([['GET', 410, expect.any(Number)]]);
  });
});

describe('a path in the access log', () => {
  const secret = 'p3J1xR0aQ7m2Vb9sKc5LwYtUe8ZdHn4oGi6fTqXyBvA';

  it.each([
    [
      '/api/public/maps/SECRET/five-islands-9f86d081884c.map',
      '/api/public/maps/[redacted]/five-islands-9f86d081884c.map',
    ],
    ['/api/public/maps/SECRET', '/api/public/maps/[redacted]'],
    ['//api/public/maps/SECRET/', '//api/public/maps/[redacted]/'],
    ['/api/public/maps/SECRET%2Fa.map', '/api/public/maps/[redacted]'],
    ['/accept-invitation/gantry_invitation_abc', '/accept-invitation/[redacted]'],
    ['/reset-password/gantry%5Fpassword_abc', '/reset-password/[redacted]'],
  ])('%s is shown without it', (path, shown) => {
    expect(pathForLog(path.replace('SECRET', secret))).toBe(shown);
  });

  it.each([
    '/api/instances/0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01/start',
    `/store/${'a-rusty-island-'.repeat(4)}`,
    `/api/files/${'0123456789abcdef'.repeat(4)}`,
    '/api/plugin-configs/furnace-splitting',
    '/%E0%A4%A',
  ])('%s is shown unchanged', (path) => {
    expect(pathForLog(path)).toBe(path);
  });
});
