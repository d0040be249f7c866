// The edge: origins that may call from a browser, and proxies trusted for the client address.
import { rawRequest } from '../support/http.ts';
import { World } from '../support/world.ts';

const panel = 'https://panel.example.com';

describe('with an origin allowed and one proxy trusted', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.create({ roles: ['api'], corsOrigins: [panel], trustProxy: 1 });
  });

  afterAll(async () => {
    await world.close();
  });

  const preflight = (origin: string) =>
    rawRequest(world.url, '/auth/login', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });

  it('allows pages of that origin to call and to read the needed headers, without cookies', async () => {
    const { headers } = await world.call('get', '/auth/me').set('Origin', panel).expect(401);
    expect(headers['access-control-allow-origin']).toBe(panel);
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    for (const name of ['Retry-After', 'Deprecation', 'Sunset', 'Link'])
      expect(headers['access-control-expose-headers']).toContain(name);
    expect(headers['vary']).toContain('Origin');
    const asked = await preflight(panel);
    expect(asked.status).toBe(204);
    expect(asked.headers['access-control-allow-methods']).toContain('POST');
  });

  it.each([`${panel}.evil.example`, 'https://evil.example', 'null', 'http://panel.example.com'])(
    'refuses pages of %s',
    async (origin) => {
      const { headers } = await world.call('get', '/auth/me').set('Origin', origin).expect(401);
      expect(headers['access-control-allow-origin']).toBeUndefined();
      expect(headers['vary']).toContain('Origin');
      const { status, headers: asked } = await preflight(origin);
      expect(asked['access-control-allow-origin']).toBeUndefined();
      expect(status).toBe(405);
    },
  );

  it('takes the client address from the proxyfor any headers of the client', async () => {
    const member = await world.createTenant();
    await world
      .call('post', '/api/fleet/clusters', member.owner)
      .set('X-Forwarded-For', '203.0.113.1, 198.51.100.7')
      .send({ name: 'From afar' })
      .expect(201);
    const [entry] = await world.database.query<{ source: string }>(
      `select source from audit_entry where after ->> 'name' = 'From afar'`,
    );
    expect(entry?.source).toBe('198.51.100.7');
  });
});

it('without settings no proxy is trusted and no origin may call', async () => {
  const world = await World.create({ roles: ['api'] });
  try {
    const tenant = await world.createTenant();
    const { headers } = await world
      .call('post', '/api/fleet/clusters', tenant.owner)
      .set({ 'X-Forwarded-For': '203.0.113.1', Origin: panel })
      .send({ name: 'From here' })
      .expect(201);
    expect(headers['access-control-allow-origin']).toBeUndefined();
    const [entry] = await world.database.query<{ source: string }>(
      `select source from audit_entry where after ->> 'name' = 'From here'`,
    );
    expect(entry?.source).toBe('127.0.0.1');
  } finally {
    await world.close();
  }
});
