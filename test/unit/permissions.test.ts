// What permission maps grant.
import fc from 'fast-check';
import {
  covers,
  grantingEntry,
  grants,
  intersection,
  ownerRole,
  systemRoles,
} from '../../src/services/auth/role-permissions.ts';
import { contract, enumOf } from '../support/contract.ts';

const known = enumOf('Permission');
const resources = [...new Set(known.map((permission) => permission.split('.')[0] ?? ''))];

const permission = fc.constantFrom(...known);
const name = fc.oneof(
  permission,
  fc.constantFrom(...resources.map((resource) => `${resource}.*`)),
  fc.constant('*'),
);
const map = fc.dictionary(name, fc.boolean(), { noNullPrototype: true });

/** The contract's definition of maps, written differently from the code. */
function allowedBy(held: Record<string, boolean>, wanted: string): boolean {
  return Object.entries(held).some(([entry, isHeld]) => {
    if (!isHeld) return false;
    if (entry.endsWith('*')) return wanted.startsWith(entry.slice(0, -1));
    return entry === wanted;
  });
}

describe('grants', () => {
  it('a permission by its name, by its resource or by *, and by nothing else', () => {
    fc.assert(
      fc.property(map, permission, (held, wanted) => {
        expect(grants(held, wanted)).toBe(allowedBy(held, wanted));
      }),
      { numRuns: 2_000 },
    );
  });

  it('nothing of a resource whose name only has the same prefix', () => {
    expect(grants({ 'fleet.*': true }, 'fleets.view')).toBe(false);
    expect(grants({ 'fleet.*': true }, 'fleet_extra.view')).toBe(false);
    expect(grants({ 'fleet.view': true }, 'fleet.viewer')).toBe(false);
    expect(
      grants({ fleet: true, 'fleet.': true, '*.view': true, '**': true, '.*': true }, 'fleet.view'),
    ).toBe(false);
  });

  it('nothing for any value other than true', () => {
    for (const value of [1, 'true', {}, [], null, 'false']) {
      const held = { '*': value, 'fleet.*': value, 'fleet.view': value } as unknown as Record<
        string,
        boolean
      >;
      expect(grants(held, 'fleet.view')).toBe(false);
    }
  });

  it('nothing through inherited object members', () => {
    for (const inherited of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
      expect(grants({}, inherited)).toBe(false);
      expect(grants({}, `${inherited}.view`)).toBe(false);
    }
  });
});

/** Present and possible future permissions: each resource, and the whole, can grow. */
const everything = [
  ...known,
  ...resources.map((resource) => `${resource}.something_new`),
  'something_new.view',
];

describe('covers', () => {
  it('is true exactly when one map grants everything the other does, now and later', () => {
    fc.assert(
      fc.property(map, map, (held, granted) => {
        const isCovered = everything.every(
          (wanted) => !allowedBy(granted, wanted) || allowedBy(held, wanted),
        );
        expect(covers(held, granted)).toBe(isCovered);
      }),
      { numRuns: 5_000 },
    );
  });

  it('is transitive', () => {
    fc.assert(
      fc.property(map, map, map, (one, two, three) => {
        fc.pre(covers(one, two) && covers(two, three));
        expect(covers(one, three)).toBe(true);
      }),
    );
  });

  it('each system role covers those below it, and none above', () => {
    for (const [index, { permissions: upper }] of systemRoles.entries()) {
      for (const { permissions: lower } of systemRoles.slice(index)) expect(covers(upper, lower)).toBe(true);
      for (const { permissions: above } of systemRoles.slice(0, index))
        expect(covers(upper, above)).toBe(false);
    }
  });
});

describe('grantingEntry', () => {
  it('returns the narrowest true entry of the map that grants it', () => {
    fc.assert(
      fc.property(map, permission, (held, wanted) => {
        const entry = grantingEntry(held, wanted);
        expect(entry !== null).toBe(allowedBy(held, wanted));
        if (entry === null) return;
        expect(held[entry]).toBe(true);
        expect(allowedBy({ [entry]: true }, wanted)).toBe(true);
        if (held[wanted] === true) expect(entry).toBe(wanted);
      }),
    );
  });
});

/** The existing permissions that a map grants. */
const reach = (held: Record<string, boolean>) => known.filter((wanted) => grants(held, wanted));

describe('intersection', () => {
  it('grants what both grant, and nothing else', () => {
    fc.assert(
      fc.property(map, map, (one, other) => {
        const both = intersection(one, other);
        expect(reach(both)).toEqual(reach(one).filter((wanted) => reach(other).includes(wanted)));
        expect(covers(one, both) && covers(other, both)).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('system roles', () => {
  it('grant less and less, from the owner with everything to the viewer with read access only', () => {
    const sets = systemRoles.map(({ permissions }) => known.filter((wanted) => grants(permissions, wanted)));
    expect(systemRoles.map(({ name: role }) => role)).toEqual(['Owner', 'Head Admin', 'Moderator', 'Viewer']);
    expect(sets[0]).toEqual(known);
    for (const [index, set] of sets.entries()) {
      expect(set.filter((wanted) => !(sets[index - 1] ?? known).includes(wanted))).toEqual([]);
    }
    expect(sets.at(-1)?.filter((wanted) => !wanted.endsWith('.view'))).toEqual([]);
    expect(ownerRole).toBe('Owner');
  });

  it('name only existing permissions', () => {
    const names = systemRoles.flatMap(({ permissions }) => Object.keys(permissions));
    const unknown = names.filter(
      (entry) => !known.includes(entry) && entry !== '*' && !resources.includes(entry.replace(/\.\*$/, '')),
    );
    expect(unknown).toEqual([]);
  });
});

it('have wildcards of existing resources only', () => {
  const { pattern = '' } =
    (contract.components.schemas['PermissionMap']?.propertyNames?.anyOf ?? [])[1] ?? {};
  const takes = (entry: string) => new RegExp(pattern).test(entry);
  expect(['*', ...resources.map((resource) => `${resource}.*`)].filter((entry) => !takes(entry))).toEqual([]);
  expect(pattern.match(/[a-z]+(?=[|)])/g)?.toSorted()).toEqual(resources.toSorted());
});
