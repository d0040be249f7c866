// Networks from which API keys may be used.
import fc from 'fast-check';
import { formatNetwork, isWithin, parseNetwork } from '../../src/network/ip-networks.ts';

const allows = (source: string, ...networks: string[]) =>
  isWithin(
    source,
    networks.map((text) => {
      const network = parseNetwork(text);
      if (network === undefined) throw new Error(`${text} is not a network`);
      return network;
    }),
  );

const textOf = (bits: bigint) => [24n, 16n, 8n, 0n].map((shift) => String((bits >> shift) & 255n)).join('.');
const address = fc.integer({ min: 0, max: 0xffffffff }).map(BigInt);

describe('a network', () => {
  it('of IPv4 holds exactly the addresses with its prefix, in either notation', () => {
    fc.assert(
      fc.property(address, address, fc.integer({ min: 0, max: 32 }), (base, other, length) => {
        const shift = BigInt(32 - length);
        // Near ones too: two random addresses rarely share more than a few bits.
        for (const seen of [other, base ^ (other >> shift), base]) {
          const isInside = base >> shift === seen >> shift;
          const network = `${textOf(base)}/${length}`;
          expect(allows(textOf(seen), network)).toBe(isInside);
          expect(allows(`::ffff:${textOf(seen)}`, network)).toBe(isInside);
          expect(allows(textOf(seen), `::ffff:${textOf(base)}/${96 + length}`)).toBe(isInside);
        }
      }),
    );
  });

  it('is unchanged when it is stored and read again', () => {
    fc.assert(
      fc.property(
        address,
        fc.integer({ min: 0, max: 32 }),
        fc.ipV6().filter((text) => !/^::\d+\./.test(text)),
        fc.integer({ min: 0, max: 128 }),
        (four, length4, six, length6) => {
          for (const text of [`${textOf(four)}/${length4}`, `${six}/${length6}`]) {
            const network = parseNetwork(text);
            if (network === undefined) throw new Error(`${text} is not a network`);
            const stored = formatNetwork(network);
            expect(formatNetwork(parseNetwork(stored) ?? network)).toBe(stored);
            expect(isWithin(text.split('/')[0] ?? '', [parseNetwork(stored) ?? network])).toBe(true);
          }
        },
      ),
    );
  });

  it.each([
    ['2001:db8::1', '2001:db8::/32', true],
    ['2001:db9::1', '2001:db8::/32', false],
    ['2001:DB8:0:0::1', '2001:db8::1', true],
    ['fe80::1%eth0', 'fe80::/10', true],
    ['10.0.0.1', '::/0', false],
    ['::1', '0.0.0.0/0', false],
    ['::ffff:10.0.0.1', '::/0', false],
    ['10.0.0.1', '::ffff:0:0/95', false],
    ['::10.0.0.1', '10.0.0.0/8', false],
    ['', '0.0.0.0/0', false],
    ['nonsense', '0.0.0.0/0', false],
    ['10.0.0.1, 203.0.113.7', '203.0.113.0/24', false],
  ])('%s in %s: %s', (source, network, isInside) => {
    expect(allows(source, network)).toBe(isInside);
  });

  it('none allows no address', () => {
    expect(isWithin('127.0.0.1', [])).toBe(false);
  });

  it.each([
    '',
    '/',
    '/8',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/08',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/8/8',
    '10',
    '10.1',
    '0x0a.0.0.1',
    '010.0.0.1',
    '256.0.0.1',
    '10.0.0.1 ',
    '::1%lo',
    'fe80::1%eth0/64',
    '::1.2.3.4',
    'g::',
    '*',
  ])('is not %p', (text) => {
    expect(parseNetwork(text)).toBeUndefined();
  });
});
