// Generated configurations of a license, exported and imported into another.
import fc from 'fast-check';
import { expectRoundTrip, part, type Parts } from '../support/migration.ts';
import { World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
});

afterAll(async () => {
  await world.close();
});

const uniqueBy = <T>(arbitrary: fc.Arbitrary<T>, maxLength: number, keyOf: (item: T) => string) =>
  fc.uniqueArray(arbitrary, { maxLength, selector: keyOf });

const names = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom('École', 'École', 'İs', 'a', 'A', '𝒳', 'ﬀ', '!', '\u{10ffff}x'),
  )
  .filter((text) => text.length > 0 && text === text.trim() && text.isWellFormed())
  .filter((text) => !/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/.test(text));

const roleNames = names.filter(
  (name) => !['owner', 'head admin', 'moderator', 'viewer'].includes(name.toLowerCase()),
);

const places = fc.constantFrom(
  { host: 'h1', instance: 'a' },
  { host: 'h1', instance: 'b' },
  { host: 'h2', instance: 'a' },
);

const configurations = fc
  .record({
    roles: uniqueBy(
      fc.record({
        name: roleNames,
        permissions: fc.dictionary(
          fc.constantFrom('*', 'fleet.view', 'console.*', 'roles.manage'),
          fc.boolean(),
        ),
      }),
      6,
      ({ name }) => name.normalize('NFKC').toLowerCase(),
    ),
    clusters: uniqueBy(fc.record({ name: names, description: fc.option(names) }), 6, ({ name }) => name),
    placed: uniqueBy(places, 3, ({ host, instance }) => host + instance),
    schedules: fc.array(
      fc.record({
        place: places,
        name: fc.oneof(names, fc.constant('Nightly')),
        action: fc.oneof(
          fc.constant({ kind: 'restart' as const }),
          fc.record({ kind: fc.constant('plugin_reload' as const), plugin: fc.constantFrom('Kits', 'Chat') }),
        ),
        cron: fc.constantFrom('30 4 * * *', '*/15 * * * *', '0 0 L * *', '0 12 * JAN MON-FRI'),
        time_zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns'),
        missed_runs: fc.constantFrom('skip' as const, 'catch_up' as const),
        is_enabled: fc.boolean(),
      }),
      { maxLength: 8 },
    ),
  })
  .map(({ roles, clusters, placed, schedules }): Parts => {
    const counts = new Map<string, number>();
    const cluster = clusters[0]?.name;
    return {
      roles: part(...roles),
      clusters: part(...clusters),
      instances: part(...(cluster === undefined ? [] : placed.map((place) => ({ ...place, cluster })))),
      schedules: part(
        ...schedules.map(({ place, ...values }) => {
          const key = JSON.stringify([place, values.name]);
          const occurrence = (counts.get(key) ?? 0) + 1;
          counts.set(key, occurrence);
          return { ...values, ...place, occurrence };
        }),
      ),
    };
  });

it('gives another license the same configuration, for any configuration, and a second import changes nothing', async () => {
  const check = (parts: Parts) => expectRoundTrip(world, parts);
  await fc.assert(fc.asyncProperty(configurations, check), { numRuns: 25 });
});
