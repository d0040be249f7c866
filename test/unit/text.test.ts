// Which text can be stored, compared with PostgreSQL itself.
import fc from 'fast-check';
import pg from 'pg';
import { isStorable, isStorableJson } from '../../src/contract/storable-values.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Any text of JavaScript, with half characters, NUL and other controls more often than at random. */
const unit = fc.oneof(
  fc.constantFrom(
    0,
    1,
    0x7f,
    0x85,
    0xd800,
    0xd83d,
    0xdbff,
    0xdc00,
    0xde00,
    0xdfff,
    0xfffe,
    0xffff,
    0x2028,
    0x5c,
    0x75,
    0x30,
  ),
  fc.integer({ min: 0, max: 0xffff }),
);
const text = fc.array(unit, { maxLength: 12 }).map((units) => String.fromCharCode(...units));

/** Whether the stored value is read back unchanged. */
async function survives(
  type: 'text' | 'jsonb',
  sent: string,
  read: (got: unknown) => boolean,
): Promise<boolean> {
  try {
    const { rows } = await client.query<{ value: unknown }>(`select $1::${type} as value`, [sent]);
    return read(rows[0]?.value);
  } catch {
    return false;
  }
}

describe('isStorable', () => {
  it('agrees with PostgreSQL, as text and within jsonb', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (value) => {
        const asText = await survives('text', value, (got) => got === value);
        const asJson = await survives('jsonb', JSON.stringify({ [value]: [value] }), (got) => {
          const [entry] = Object.entries(got as Record<string, string[]>);
          return entry?.[0] === value && entry[1][0] === value;
        });
        expect([value, asText, asJson]).toEqual([value, isStorable(value), isStorable({ [value]: [value] })]);
      }),
      { numRuns: 500 },
    );
  });

  it('checks every nested value, field names included', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), text, fc.nat(), (value, added, where) => {
        const changed = planted(value, added, where);
        expect(isStorable(changed)).toBe(everyText(changed).every((item) => isStorable(item)));
      }),
      { numRuns: 1_000 },
    );
  });

  it('rejects infinite numbers', () => {
    for (const value of [Infinity, -Infinity, NaN]) expect(isStorable({ a: [value] })).toBe(false);
    for (const value of [0, -0, 1e308, 5e-324, true, null]) expect(isStorable({ a: [value] })).toBe(true);
  });
});

describe('isStorableJson', () => {
  it('agrees with isStorable for a message, for any escaping of its characters', () => {
    fc.assert(
      fc.property(text, fc.boolean(), fc.boolean(), (value, isEscaped, isUpperCase) => {
        const hex = (code: number) => {
          const digits = code.toString(16).padStart(4, '0');
          return `\\u${isUpperCase ? digits.toUpperCase() : digits}`;
        };
        const escaped = [...Array(value.length).keys()].map((index) => hex(value.charCodeAt(index))).join('');
        const json = isEscaped ? `{"a":"${escaped}"}` : JSON.stringify({ a: value });
        const parsed: unknown = JSON.parse(json);
        expect([json, isStorableJson(json, parsed)]).toEqual([json, isStorable(parsed)]);
      }),
      { numRuns: 2_000 },
    );
  });
});

/** The value with the text inserted, as a field's name or as an entry. */
function planted(value: unknown, added: string, where: number): unknown {
  if (Array.isArray(value)) {
    const index = where % (value.length + 1);
    return index === value.length
      ? [...(value as unknown[]), added]
      : (value as unknown[]).map((item, at) => (at === index ? planted(item, added, where >> 1) : item));
  }
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value);
    const index = where % (entries.length + 1);
    if (index === entries.length) return Object.fromEntries([...entries, [added, 1]]);
    return Object.fromEntries(
      entries.map(([key, item], at): [string, unknown] => [
        key,
        at === index ? planted(item, added, where >> 1) : item,
      ]),
    );
  }
  return added;
}

function everyText(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(everyText);
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...everyText(item)]);
}

it('isStorable rejects endless nesting without a stack overflow', () => {
  const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown;
  expect(isStorable(nested(60))).toBe(true);
  expect(isStorable(nested(100_000))).toBe(false);
});
