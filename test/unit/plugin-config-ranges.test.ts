// Ranges of plugins: values outside are rejected with their location, and values at the limits are accepted.
import { createValidator } from '../../src/contract/values.ts';
import type { ConfigValue } from '../../src/plugin-configs/wanted.ts';
import { kindOf } from '../support/plugin-kinds.ts';

const ajv = createValidator({ allErrors: true });

const faultsOf = (kind: string, config: ConfigValue) => {
  const validate = ajv.compile(kindOf(kind).schemaWithReferences);
  validate(config);
  return (validate.errors ?? []).map(({ instancePath }) => instancePath);
};

/** A configuration with one value. */
const configWith = (pointer: string, value: ConfigValue): ConfigValue =>
  pointer
    .split('/')
    .slice(1)
    .reduceRight<ConfigValue>((inner, step) => (step === '0' ? [inner] : { [step]: inner }), value);

const whole = 2_000_000_000;

describe.each([
  ['loot', '/settings/general/blueprint_weight', 0, 1, 0.01],
  ['loot', '/settings/loot/loot_multiplier', 1, whole, 1],
  ['loot', '/settings/loot/scrap_multiplier', 0, whole, 1],
  ['loot', '/loot_table/a/items/b/durability/min_percent', 0, 100, 1],
  ['loot', '/legacy_settings/general/blueprint_probability', 0, 1, 0.01],
  ['loot', '/legacy_settings/loot/loot_multiplier', 1, whole, 1],
  ['loot', '/legacy_settings/rarities/rope', 0, 4, 1],
  ['furnace-splitting', '/ui_position/x', 0, 1, 0.01],
  ['kits', '/kits/a/required_auth', 0, 2, 1],
  ['chat', '/word_filter/clears_offenses_after', 0, 4, 1],
  ['gather', '/quarry_tick_seconds', 1, 3600, 0.5],
  ['raidable-bases', '/easy_loot/0/probability', 0, 1, 0.01],
  ['raidable-bases', '/easy_profile/npcs/health_for_murderers', 100, 5000, 1],
  ['raidable-bases', '/easy_profile/npcs/health_for_scientists', 100, 5000, 1],
  ['raidable-bases', '/easy_profile/npcs/scientist_weapon_accuracy', 0, 100, 1],
  ['raidable-bases', '/easy_profile/npcs/weapon_accuracy/m249', 0, 100, 1],
  ['raidable-bases', '/easy_profile/explosion_damage_modifier', 0, 999, 1],
  ['raidable-bases', '/settings/settings/raid_management/minutes_until_despawn_after_looting', 1, whole, 1],
  ['raidable-bases', '/settings/settings/raid_management/max_automatic_spawns/easy', -1, whole, 1],
  ['raidable-bases', '/settings/settings/scheduled_events/max_to_spawn_at_once', 0, whole, 1],
] as const)('%s %s', (kind, pointer, min, max, step) => {
  // Elements of lists and kits need more fields than this.
  const at = (value: number) =>
    faultsOf(kind, configWith(pointer, value)).filter((place) => place === pointer);

  it(`is from ${min} to ${max}`, () => {
    expect([at(min), at(max)]).toEqual([[], []]);
    expect([at(min - step), at(max + step)]).toEqual([[pointer], [pointer]]);
  });
});

describe.each([
  ['kits', '/settings/currency', 'Scrap', 'Gold'],
  ['teleport', '/dynamic_commands/town/location', '-104.7 20.0 311.25', '1 2'],
  ['timed-commands', '/in_game_time/commands', { '23:59': 'a' }, { '24:00': 'a' }],
  ['timed-commands', '/real_time/commands', { '23:59:59': 'a' }, { '23:59': 'a' }],
  ['automatic-doors', '/chat/commands', ['ad'], []],
  ['gather', '/settings/chat_prefix_color', '#008000ff', 'green'],
  ['teleport', '/settings/chat_steam64id', '18446744073709551615', '18446744073709551616'],
] as const)('%s %s', (kind, pointer, right, wrong) => {
  const at = (value: ConfigValue) =>
    faultsOf(kind, configWith(pointer, value)).filter((place) => place.startsWith(pointer));

  it(`may be ${JSON.stringify(right)} and not ${JSON.stringify(wrong)}`, () => {
    expect(at(right)).toEqual([]);
    expect(at(wrong).length).toBeGreaterThan(0);
  });
});
