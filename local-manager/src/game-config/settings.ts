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
  engine('Bgd.ServerLoginPassword', 'Join password', 'text', 'quoted', null, {
    isSecret: true,
    hint: 'Players enter it to join. Without one, anyone can join.',
  }),
  engine('Dune.GlobalMiningOutputMultiplier', 'Mining output', 'decimal', 'plain', '1.0', {
    ...factor,
    hint: 'Applies to handheld tools. 2 doubles it, 0.5 halves it.',
  }),
  engine('Dune.GlobalVehicleMiningOutputMultiplier', 'Vehicle mining output', 'decimal', 'plain', '1.0', {
    ...factor,
    hint: 'Applies to mining vehicles. 2 doubles it, 0.5 halves it.',
  }),
  engine('SecurityZones.PvpResourceMultiplier', 'PvP resource multiplier', 'decimal', 'plain', '2.5', {
    ...factor,
    hint: 'Resources in PvP zones, compared with other zones. 1 means no difference.',
  }),
  engine('dw.VehicleDurabilityDamageMultiplier', 'Vehicle wear', 'decimal', 'plain', '1.0', {
    minimum: 0,
    maximum: 10,
    hint: '1 is the game’s own rate; 2 doubles it.',
  }),
  engine('Sandstorm.Enabled', 'Sandstorms', 'boolean', 'zero-one', 'true'),
  engine('Sandstorm.Treasure.Enabled', 'Sandstorm treasure', 'boolean', 'zero-one', 'true'),
  engine('sandworm.dune.Enabled', 'Sandworms', 'boolean', 'zero-one', 'true'),
  engine('Sandworm.SandwormDangerZonesEnabled', 'Sandworm danger zones', 'boolean', 'lower', 'true'),
  engine(
    'Vehicle.SandwormCollisionInteraction',
    'Sandworms collide with vehicles',
    'boolean',
    'lower',
    'false',
  ),
  engine(
    'Vehicle.SandwormInvulnerabilitySecondsOnExit',
    'Sandworm protection after leaving a vehicle',
    'decimal',
    'plain',
    '900',
    { ...seconds, hint: 'Seconds for which sandworms ignore a vehicle after its driver gets out.' },
  ),
  engine(
    'Vehicle.SandwormInvulnerabilitySecondsOnServerRestart',
    'Sandworm protection after a server restart',
    'decimal',
    'plain',
    '7200',
    { ...seconds, hint: 'Seconds for which sandworms ignore vehicles after the server starts.' },
  ),
  port('Port', 'First game port', '7777', 'Each running map uses one UDP port, starting with this one.'),
  port(
    'IGWPort',
    'First server-to-server port',
    '7888',
    'Each running map uses one, starting with this one. Never forward them.',
  ),
  game(
    '/Script/DuneSandbox.PvpPveSettings',
    'm_bShouldForceEnablePvpOnAllPartitions',
    'PvP everywhere',
    'boolean',
    'false',
    { hint: 'Players can attack each other on every map, including in PvE zones.' },
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
    'Item decay interval',
    'decimal',
    null,
    {
      minimum: 0,
      maximum: 10,
      hint: 'Seconds between two updates; 0 turns decay off.',
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
  game(buildings, 'm_MaxNumLandclaimSegments', 'Maximum land claim segments', 'integer', null, {
    ...count,
    hint: 'How far a base can be extended.',
  }),
  game(buildings, 'm_BuildingBlueprintMaxExtensions', 'Maximum blueprint extensions', 'integer', null, count),
  game(buildings, 'm_BaseBackupMaxExtensions', 'Maximum base backup extensions', 'integer', null, count),
  game(buildings, 'm_bBuildingRestrictionLimitsEnabled', 'Building limits', 'boolean', 'true'),
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
      throw refuse('cannot contain quotes, backslashes or line breaks');
    if (setting.isSecret && value === hidden)
      throw refuse('is a mask, not a value; leave it out of the changes to keep the secret');
    return `"${value}"`;
  }
  if (type === 'boolean') {
    if (value !== 'true' && value !== 'false') throw refuse('must be true or false');
    if (spelling === 'zero-one') return value === 'true' ? '1' : '0';
    return spelling === 'lower' ? value : value === 'true' ? 'True' : 'False';
  }
  if (!isNumber(value) || (type === 'integer' && !/^-?\d+$/.test(value)))
    throw refuse(type === 'integer' ? 'must be a whole number' : 'must be a decimal number');
  const number = Number(value);
  if ((minimum !== null && number < minimum) || (maximum !== null && number > maximum))
    throw refuse(`must be from ${minimum ?? '…'} to ${maximum ?? '…'}`);
  return value;
}

const isNumber = (text: string) => /^-?\d{1,9}(\.\d{1,6})?$/.test(text);

export const wrongSetting = (detail: string, pointer: string): Refusal =>
  refusalAt('invalid_setting', pointer, detail);
