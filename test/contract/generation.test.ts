// What the generation of the contract refuses, and the lists that it shares between schemas.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withSharedEnums } from '../../scripts/shared-enums.ts';
import { readEvents } from '../../scripts/events.ts';
import { refuseUnlistedPaths } from '../../scripts/unlisted-paths.ts';
import { follow, type Schema } from '../support/schemas.ts';
import { contract } from '../support/contract.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-generation-'));
  mkdirSync(join(folder, 'openapi/paths'), { recursive: true });
});

afterEach(() => rmSync(folder, { recursive: true }));

const write = (file: string, text: string) => writeFileSync(join(folder, 'openapi', file), text);

describe('a path in a file of paths', () => {
  const check = () => refuseUnlistedPaths(folder, 'openapi/openapi.yaml');

  beforeEach(() =>
    write('openapi.yaml', `paths: { /api/commands: { $ref: 'paths/commands.yaml#/commands' } }`),
  );

  it('is accepted when the contract lists it', () => {
    write('paths/commands.yaml', 'commands: {}');
    expect(check).not.toThrow();
  });

  it('is refused when the contract does not list it', () => {
    write('paths/commands.yaml', 'commands: {}\nfigures: {}');
    expect(check).toThrow(
      /^openapi\/paths\/commands\.yaml#\/figures is in no path of openapi\/openapi\.yaml$/,
    );
  });
});

describe('an enum that refers to a list', () => {
  beforeEach(() => write('verbs.yaml', 'Verb: { enum: [start, stop] }'));

  it('has the list in its place', () => {
    write('kinds.yaml', `Kind: { type: string, enum: { $ref: 'verbs.yaml#/Verb/enum' } }`);
    expect(withSharedEnums(join(folder, 'openapi/kinds.yaml'))).toBe(
      'Kind: { type: string, enum: ["start","stop"] }',
    );
  });

  it('is refused when it refers to no list', () => {
    write('kinds.yaml', `Kind: { enum: { $ref: 'verbs.yaml#/Other/enum' } }`);
    expect(() => withSharedEnums(join(folder, 'openapi/kinds.yaml'))).toThrow('does not refer to a list');
  });
});

describe('a field of an event that may be null', () => {
  const { schemas } = contract.components;
  const types = schemas['EventData']?.properties ?? {};
  const descriptionOf = (type: string, name: string) => {
    const { allOf: [shared] = [], ...own } = types[type] as Schema & { allOf?: Schema[] };
    const data = follow(shared ?? own, schemas);
    return (follow(data.properties?.[name] ?? {}, schemas) as { description?: string }).description ?? '';
  };
  const nullable = readEvents().entries.flatMap(({ type, fields }) =>
    fields.filter(({ isNullable }) => isNullable).map(({ name }) => ({ type, name })),
  );

  it('says when it is null, by a condition of its own', () => {
    expect(nullable.length).toBeGreaterThan(50);
    const wrong = nullable.filter(
      ({ type, name }) => !/; `null` if (?!there is none)[^.]+\.$/.test(descriptionOf(type, name)),
    );
    expect(wrong).toEqual([]);
  });

  it('of a run of a schedule names the run, not a wipe', () => {
    expect(descriptionOf('schedule.run_started', 'due_at')).toBe(
      'When the run was due; `null` if a user requested the run.',
    );
  });
});
