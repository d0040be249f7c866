// The known settings of the game, with their types, limits and notation.
import type { components } from '../../../generated/local-manager.d.ts';
import { refusalAt, type Refusal } from '../refusals.ts';

type Schemas = components['schemas'];
export type ConfigFile = Schemas['GameConfigFile'];

/** Shown instead of a secret. */
export const hidden = '•••';

/** The notation of a value in the file. */
type Spelling = 'quoted' | 'plain' | 'zero-one' | 'lower' | 'capital';

export interface KnownSetting {
  file: ConfigFile;
  section: string;
  key: string;
  label: string;
  hint: string | null;
  type: Schemas['GameSetting']['type'];
  spelling: Spelling;
  default: string | null;
  minimum: number | null;
  maximum: number | null;
  isSecret: boolean;
}

type Rest = Partial<Pick<KnownSetting, 'hint' | 'minimum' | 'maximum' | 'isSecret'>>;

const known = (
  file: ConfigFile,
  section: string,
  key: string,
  label: string,
  type: KnownSetting['type'],
  spelling: Spelling,
  usual: string | null,
  rest: Rest = {},
): KnownSetting => ({
  ...{ file, section, key, label, type, spelling, default: usual },
  ...{ hint: null, minimum: null, maximum: null, isSecret: false },
  ...rest,
});

const engine = (
  key: string,
  label: string,
  type: KnownSetting['type'],
  spelling: Spelling,
  usual: string | null,
  rest?: Rest,
) => known('UserEngine.ini', 'ConsoleVariables', key, label, type, spelling, usual, rest);

const port = (key: string, label: string, usual: string, hint: string) =>
  known('UserEngine.ini', 'URL', key, label, 'integer', 'plain', usual, {
    minimum: 1024,
    maximum: 65535,
    hint,
  });

const game = (
  section: string,
  key: string,
  label: string,
  type: KnownSetting['type'],
  usual: string | null,
  rest?: Rest,
) => known('UserGame.ini', section, key, label, type, type === 'boolean' ? 'capital' : 'plain', usual, rest);

const buildings = '/Script/DuneSandbox.BuildingSettings';
const factor: Rest = { minimum: 0, maximum: 1000 };
const seconds: Rest = { minimum: 0, maximum: 86_400, hint: 'In seconds.' };
const count: Rest = { minimum: 0, maximum: 100_000 };

export const settings: readonly KnownSetting[] = [
  engine('Bgd.ServerDisplayName', 'Display name', 'text', 'quoted', null, {
    hint: 'An empty name can hide the server from the list.',
  }),
  engine('Bgd.ServerLoginPassword', 'Password to join', 'text', 'quoted', null, {
    isSecret: true,
    hint: 'Players type it to join. Without one, the world is open to all.',
  }),
  engine('Dune.GlobalMiningOutputMultiplier', 'Yield of mining', 'decimal', 'plain', '1.0', {
    ...factor,
    hint: 'Applies to tools in the hand. 2 doubles it, 0.5 halves it.',
  }),
  engine(
    'Dune.GlobalVehicleMiningOutputMultiplier',
    'Yield of mining with vehicles',
    'decimal',
    'plain',
    '1.0',
    { ...factor, hint: 'Applies to mining vehicles. 2 doubles it, 0.5 halves it.' },
  ),
  engine('SecurityZones.PvpResourceMultiplier', 'Resources in PvP zones', 'decimal', 'plain', '2.5', {
    ...factor,
    hint: 'How much more PvP zones yield than the others; 1 is the same.',
  }),
  engine('dw.VehicleDurabilityDamageMultiplier', 'Wear of vehicles', 'decimal', 'plain', '1.0', {
    minimum: 0,
    maximum: 10,
    hint: '1 is the game’s own; 2 doubles it.',
  }),
  engine('Sandstorm.Enabled', 'Sandstorms', 'boolean', 'zero-one', 'true'),
  engine('Sandstorm.Treasure.Enabled', 'Treasures of sandstorms', 'boolean', 'zero-one', 'true'),
  engine('sandworm.dune.Enabled', 'Sandworms', 'boolean', 'zero-one', 'true'),
  engine('Sandworm.SandwormDangerZonesEnabled', 'Danger zones of sandworms', 'boolean', 'lower', 'true'),
  engine(
    'Vehicle.SandwormCollisionInteraction',
    'Sandworms collide with vehicles',
    'boolean',
    'lower',
    'false',
  ),
  engine(
    'Vehicle.SandwormInvulnerabilitySecondsOnExit',
    'Vehicles safe from sandworms after leaving',
    'decimal',
    'plain',
    '900',
    { ...seconds, hint: 'Seconds for which worms spare a vehicle that its driver has left.' },
  ),
  engine(
    'Vehicle.SandwormInvulnerabilitySecondsOnServerRestart',
    'Vehicles safe from sandworms after a restart',
    'decimal',
    'plain',
    '7200',
    { ...seconds, hint: 'Seconds for which worms spare vehicles after a start of the server.' },
  ),
  port('Port', 'First game port', '7777', 'One UDP port for each map that runs, from this one up.'),
  port('IGWPort', 'First port between servers', '7888', 'From this one up; never forwarded.'),
  game(
    '/Script/DuneSandbox.PvpPveSettings',
    'm_bShouldForceEnablePvpOnAllPartitions',
    'PvP everywhere',
    'boolean',
    'false',
    { hint: 'Players can attack each other on every map, also where its zones forbid it.' },
  ),
  game(
    '/Script/DuneSandbox.SecurityZonesSubsystem',
    'm_bAreSecurityZonesEnabled',
    'Security zones',
    'boolean',
    'true',
    { hint: 'Zones that separate PvE from PvP.' },
  ),
  game(
    '/DeteriorationSystem.ItemDeteriorationConstants',
    'UpdateRateInSeconds',
    'Deterioration of items',
    'decimal',
    null,
    {
      minimum: 0,
      maximum: 10,
      hint: 'Seconds between two updates; 0 switches it off.',
    },
  ),
  game(
    '/Script/DuneSandbox.SandStormConfig',
    'm_bCoriolisAutoSpawnEnabled',
    'Coriolis storms',
    'boolean',
    'true',
    { hint: 'The large storms that renew the Deep Desert.' },
  ),
  game(buildings, 'm_MaxNumLandclaimSegments', 'Maximum segments of a land claim', 'integer', null, {
    ...count,
    hint: 'How far a base can be extended.',
  }),
  game(
    buildings,
    'm_BuildingBlueprintMaxExtensions',
    'Maximum extensions of a blueprint',
    'integer',
    null,
    count,
  ),
  game(buildings, 'm_BaseBackupMaxExtensions', 'Maximum extensions of a base backup', 'integer', null, count),
  game(buildings, 'm_bBuildingRestrictionLimitsEnabled', 'Limits of building', 'boolean', 'true'),
];

/** The value of a text in a file; null if it is not of the setting's type. */
export function readValue({ type }: KnownSetting, written: string): string | null {
  const text = /^"(.*)"$/.exec(written.trim())?.[1] ?? written.trim();
  if (type === 'text') return text;
  if (type === 'boolean')
    return /^(1|true)$/i.test(text) ? 'true' : /^(0|false)$/i.test(text) ? 'false' : null;
  return isNumber(text) ? text : null;
}

/** The value in the file's notation. Throws a refusal that names the place in the request if the value is invalid. */
export function writeValue(setting: KnownSetting, value: string, pointer: string): string {
  const { label, type, spelling, minimum, maximum } = setting;
  const refuse = (what: string) => wrongSetting(`“${label}” ${what}.`, pointer);
  if (type === 'text') {
    if (/["\\\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(value))
      throw refuse('takes no quotes, backslashes and line ends');
    if (setting.isSecret && value === hidden)
      throw refuse('is a mask, not a value; leave it out of the changes to keep the secret');
    return `"${value}"`;
  }
  if (type === 'boolean') {
    if (value !== 'true' && value !== 'false') throw refuse('is true or false');
    if (spelling === 'zero-one') return value === 'true' ? '1' : '0';
    return spelling === 'lower' ? value : value === 'true' ? 'True' : 'False';
  }
  if (!isNumber(value) || (type === 'integer' && !/^-?\d+$/.test(value)))
    throw refuse(type === 'integer' ? 'is a whole number' : 'is a number in decimal');
  const number = Number(value);
  if ((minimum !== null && number < minimum) || (maximum !== null && number > maximum))
    throw refuse(`is from ${minimum ?? '…'} to ${maximum ?? '…'}`);
  return value;
}

const isNumber = (text: string) => /^-?\d{1,9}(\.\d{1,6})?$/.test(text);

export const wrongSetting = (detail: string, pointer: string): Refusal =>
  refusalAt('invalid_setting', pointer, detail);
