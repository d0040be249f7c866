// Alert rules: the defaults, and a license's changes to them.
import type { Schemas } from '../../platform-contract/types.ts';

export type AlertRules = Schemas['AlertRules'];
export type AlertKind = Schemas['AlertKind'];

export const defaultRules: AlertRules = {
  agent_outdated: { is_enabled: true, severity: 'Info', minimum_version: null },
  clock_wrong: { is_enabled: true, severity: 'Warning', seconds: 30 },
  disk_full: { is_enabled: true, severity: 'Warning', percent: 90 },
  host_down: { is_enabled: true, severity: 'Critical', after_minutes: 3 },
  instance_crashed: { is_enabled: true, severity: 'Critical' },
  low_fps: { is_enabled: true, severity: 'Warning', fps: 15, window_minutes: 10 },
  population_drop: {
    is_enabled: true,
    severity: 'Warning',
    percent: 50,
    window_minutes: 30,
    min_players: 10,
  },
};

/** Merges changes into the rules. A kind that did not exist when the rules were stored has its default. */
export function withChanges(
  rules: Partial<AlertRules>,
  changes: Schemas['AlertConfigUpdate']['rules'],
): AlertRules {
  return {
    agent_outdated: { ...defaultRules.agent_outdated, ...rules.agent_outdated, ...changes.agent_outdated },
    clock_wrong: { ...defaultRules.clock_wrong, ...rules.clock_wrong, ...changes.clock_wrong },
    disk_full: { ...defaultRules.disk_full, ...rules.disk_full, ...changes.disk_full },
    host_down: { ...defaultRules.host_down, ...rules.host_down, ...changes.host_down },
    instance_crashed: {
      ...defaultRules.instance_crashed,
      ...rules.instance_crashed,
      ...changes.instance_crashed,
    },
    low_fps: { ...defaultRules.low_fps, ...rules.low_fps, ...changes.low_fps },
    population_drop: {
      ...defaultRules.population_drop,
      ...rules.population_drop,
      ...changes.population_drop,
    },
  };
}
