// A refused body names each of its faults, so that a form can mark every field at once.
import { World } from '../support/world.ts';

let world: World;
let owner: Awaited<ReturnType<World['createTenant']>>['owner'];

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
  ({ owner } = await world.createTenant());
});

afterAll(async () => {
  await world.close();
});

interface Body {
  detail: string;
  errors: { in: string; pointer: string; detail: string }[];
}

const pointers = ({ errors }: Body) => errors.map(({ pointer }) => pointer).sort();

async function refusal(path: string, body: object): Promise<Body> {
  const { body: problem } = await world.call('post', path, owner).send(body).expect(400);
  expect(problem.code).toBe('validation_failed');
  return problem as Body;
}

it('names missing, unknown and malformed fields together', async () => {
  const problem = await refusal('/api/schedules', { name: '', cron: 5, bogus: 1 });
  expect(pointers(problem)).toEqual(
    expect.arrayContaining(['/action', '/bogus', '/cron', '/instance_id', '/name']),
  );
  const [first] = problem.errors;
  expect(problem.detail).toBe(`${first?.in} ${first?.pointer}: ${first?.detail}`);
});

it('names a place once', async () => {
  const problem = await refusal('/auth/login', { email: '', password: 7 });
  expect(pointers(problem)).toEqual(['/email', '/password']);
});

it('names only the faults of the chosen kind', async () => {
  const problem = await refusal('/api/schedules', {
    name: 'Nightly',
    instance_id: '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01',
    cron: '0 4 * * *',
    time_zone: 'UTC',
    action: { kind: 'announcement', message: 7, colour: 'red' },
  });
  expect(pointers(problem)).toEqual(expect.arrayContaining(['/action/colour', '/action/message']));
  expect(pointers(problem).filter((pointer) => !pointer.startsWith('/action/'))).toEqual([]);
});

it('ends the list at fifty', async () => {
  const many = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`field_${index}`, 1]));
  expect((await refusal('/api/webhooks', many)).errors).toHaveLength(50);
});

it('names the first fault alone of a large body', async () => {
  const problem = await refusal('/api/webhooks', { url: 'x'.repeat(17_000), bogus: 1 });
  expect(problem.errors).toHaveLength(1);
});
