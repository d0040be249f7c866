// Operations of the area `release-notes`.
import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import type { components } from '../../generated/platform.d.ts';
import { someId } from '../support/contract.ts';
import { World, type Tenant } from '../support/world.ts';

type Entry = components['schemas']['ReleaseNote'];

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
  tenant = await world.createTenant();
});

afterAll(async () => {
  await world.close();
});

const path = '/api/admin/release-notes';

/** No two tests publish at the same time. */
let minute = 0;
const earlier = () => new Date(Date.UTC(2026, 0, 1, 0, (minute += 1))).toISOString();
const later = () => new Date(Date.now() + 3_600_000 + (minute += 1)).toISOString();

const create = (input: object = {}) =>
  world.call('post', path, world.admin).send({ title: `Entry ${randomUUID()}`, text: '**New**', ...input });
const created = async (input: object = {}) => (await create(input).expect(201)).body as Entry;
const get = (id: string) => world.call('get', `${path}/${id}`, world.admin);
const update = (id: string, changes: object) =>
  world.call('patch', `${path}/${id}`, world.admin).send(changes);
const remove = (id: string) => world.call('delete', `${path}/${id}`, world.admin);

/** Titles, page by page. */
async function titles(start: string, member: { token: string }): Promise<string[]> {
  const seen: string[] = [];
  let next: string | null = start;
  while (next !== null) {
    const { body, headers }: Response = await world.call('get', next, member).expect(200);
    seen.push(...(body as { data: Entry[] }).data.map(({ title }) => title));
    next = /^<(.+)>; rel="next"$/.exec(headers['link'] ?? '')?.[1] ?? null;
  }
  return seen;
}

describe('createReleaseNote', () => {
  it('returns 201 with a draft, unless a publication time is given', async () => {
    const note = await created({ title: 'Schedules', text: '# Schedules\n\n- one\n- two' });
    expect(note).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      title: 'Schedules',
      text: '# Schedules\n\n- one\n- two',
      published_at: null,
      version: 1,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    const response = await get(note.id).expect(200);
    expect([response.body, response.headers['etag']]).toEqual([note, '"1"']);
  });

  it('returns 409 when another note has that time, also for concurrent requests', async () => {
    const published_at = earlier();
    const responses = await Promise.all([create({ published_at }), create({ published_at })]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect((await create({ published_at }).expect(409)).body).toMatchObject({ code: 'time_taken' });
  });

  it.each([
    ['/title', { title: 'two\nlines' }],
    ['/title', { title: 'x'.repeat(101) }],
    ['/text', { text: '' }],
    ['/text', { text: 'x'.repeat(20_001) }],
    ['/published_at', { published_at: '2026-02-30T00:00:00Z' }],
  ])('returns 400 for an invalid %s', async (pointer, input) => {
    expect((await create(input).expect(400)).body).toMatchObject({ errors: [{ pointer }] });
  });
});

describe('listPublishedReleaseNotes', () => {
  it('returns 200 with the published entries, newest first, for users with and without a license', async () => {
    const names = ['first', 'second', 'third'].map((name) => `${name} ${randomUUID()}`);
    const [first, second, third] = [earlier(), earlier(), earlier()];
    await created({ title: names[1], published_at: second });
    await created({ title: names[2], published_at: third });
    await created({ title: names[0], published_at: first });
    const [draft, future] = [await created(), await created({ published_at: later() })];
    const seen = await titles('/api/release-notes?limit=2', tenant.owner);
    expect(seen.filter((title) => names.includes(title))).toEqual(names.toReversed());
    expect(seen).not.toContain(draft.title);
    expect(seen).not.toContain(future.title);
    expect(await titles('/api/release-notes', world.admin)).toEqual(seen);
    const { body } = await world.call('get', '/api/release-notes', tenant.owner).expect(200);
    expect((body as { data: object[] }).data.map((note) => Object.keys(note))).toContainEqual([
      'id',
      'title',
      'text',
      'published_at',
    ]);
    await world.call('get', '/api/release-notes').expect(401);
  });
});

describe('listReleaseNotes', () => {
  it('returns 200 with drafts included, as written, newest first', async () => {
    const first = await created({ published_at: later() });
    const second = await created();
    const seen = await titles(`${path}?limit=1`, world.admin);
    expect(seen.slice(0, 2)).toEqual([second.title, first.title]);
  });
});

describe('updateReleaseNote', () => {
  it('returns 200 with the given changes, and publishes', async () => {
    const { id, title } = await created();
    const published_at = earlier();
    const response = await update(id, { published_at }).expect(200);
    expect(response.body).toMatchObject({ id, title, text: '**New**', published_at, version: 2 });
    expect(response.headers['etag']).toBe('"2"');
    expect(await titles('/api/release-notes?limit=100', tenant.owner)).toContain(title);
    await update(id, { text: 'Newer', published_at: null }).expect(200);
    expect((await get(id)).body).toMatchObject({ text: 'Newer', published_at: null, version: 3 });
    expect(await titles('/api/release-notes?limit=100', tenant.owner)).not.toContain(title);
  });

  it('returns 412 for an outdated version, and 200 for exactly one of two with the same version', async () => {
    const { id } = await created();
    const responses = await Promise.all(
      ['one', 'two'].map((text) => update(id, { text }).set('If-Match', '"1"')),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    expect((await update(id, { text: 'x' }).set('If-Match', '"1"').expect(412)).body).toMatchObject({
      code: 'stale_version',
    });
  });

  it('returns 409 when another note has that time', async () => {
    const { published_at } = await created({ published_at: earlier() });
    const { id } = await created();
    expect((await update(id, { published_at }).expect(409)).body).toMatchObject({ code: 'time_taken' });
  });

  it('returns 404 for an unknown note', async () => {
    await update(someId, { text: 'x' }).expect(404);
  });
});

describe('deleteReleaseNote', () => {
  it('returns 204 and deletes the note', async () => {
    const { id, title } = await created({ published_at: earlier() });
    await remove(id).set('If-Match', '"7"').expect(412);
    await remove(id).set('If-Match', '"1"').expect(204);
    await get(id).expect(404);
    await remove(id).expect(404);
    expect(await titles('/api/release-notes?limit=100', tenant.owner)).not.toContain(title);
  });
});
