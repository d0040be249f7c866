// Requests made from the contract's examples by random changes, the same for the same seed.

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 up to, but without, 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let value = this.#state;
    value = Math.imul(value ^ (value >>> 15), value | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  isTrue(probability: number): boolean {
    return this.next() < probability;
  }
}

const texts = [
  '',
  ' ',
  'x',
  '0',
  '-1',
  '1e9',
  'null',
  'true',
  'x'.repeat(300),
  'Zürich 🦀',
  '\u202Eright to left',
  'a\u0000b',
  '\uD800',
  '../../etc/passwd',
  "' or true --",
  '<script>alert(1)</script>',
  '${jndi:ldap://x}',
  '{{player_name}}',
  '0199a1f0-0000-7000-8000-000000000000',
  '2026-11-21T10:00:00.000Z',
  '2026-02-30T25:00:00Z',
  'someone@example.com',
  '76561198000000001',
  'https://127.0.0.1:1/x',
];

const numbers = [0, -0, 1, -1, 0.5, 25, 100, 101, 2 ** 31, 2 ** 53, -(2 ** 53), 1e300, 5e-324];

export const someText = (random: Random): string => random.pick(texts);

function someValue(random: Random): unknown {
  switch (random.below(6)) {
    case 0:
      return someText(random);
    case 1:
      return random.pick(numbers);
    case 2:
      return random.isTrue(0.5);
    case 3:
      return null;
    case 4:
      return [someText(random)];
    default:
      return { [someText(random)]: random.pick(numbers) };
  }
}

/** A copy of the value with up to three changes, at random depths. */
export function mutated(value: unknown, random: Random): unknown {
  let copy = structuredClone(value);
  for (let count = 1 + random.below(3); count > 0; count -= 1) copy = changed(copy, random);
  return copy;
}

function changed(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random.isTrue(0.1)) return someValue(random);
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  if (entries.length === 0 || random.isTrue(0.1)) return grown(value, random);
  const [key, item] = random.pick<[number | string, unknown]>(entries);
  if (random.isTrue(0.15)) {
    return Array.isArray(value)
      ? value.filter((_, index) => index !== key)
      : Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
  }
  const next = changed(item, random);
  return Array.isArray(value) ? value.with(Number(key), next) : { ...value, [key]: next };
}

function grown(value: object, random: Random): object {
  if (Array.isArray(value)) return [...(value as unknown[]), ...(value as unknown[]), someValue(random)];
  return { ...value, [random.pick(['unknown', 'id', 'license_id', 'name', 'version'])]: someValue(random) };
}
