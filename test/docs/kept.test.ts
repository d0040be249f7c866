// Documented retention periods, for operators and callers, match the real ones.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  keptDays,
  keptDaysOfDayPartitions,
  keptDaysOfPartitions,
} from '../../src/queue/retention-periods.ts';
import { contract, operations } from '../support/contract.ts';

/** Of the operation and of its parameters. */
function descriptionsOf(id: string): string {
  const written = Object.values(contract.paths)
    .flatMap((item) => Object.values(item) as { operationId?: string; description?: string }[])
    .find(({ operationId }) => operationId === id);
  const parameters = operations.find((operation) => operation.id === id)?.parameters ?? [];
  const texts = [written?.description, ...parameters.map(({ description }) => description)];
  // Lists keep the line ends that their authors chose.
  return texts.join('\n').replace(/\s+/g, ' ');
}

const guide = readFileSync(resolve(import.meta.dirname, '../../docs/operations.md'), 'utf8');
const kept: Record<string, number> = { ...keptDays, ...keptDaysOfDayPartitions, ...keptDaysOfPartitions };

it('docs/operations.md has every table with its days', () => {
  const [, section = ''] = guide.split('\n## How long things are kept\n');
  const [table = ''] = section.split('\n## ');
  const rows = [...table.matchAll(/^\| `(\w+)` +\|.*\| (\d+) +\|$/gm)].map(
    ([, name = '', days]) => [name, Number(days)] as const,
  );
  expect(Object.fromEntries(rows)).toEqual(kept);
  expect(rows.map(([name]) => name)).toEqual(Object.keys(kept).toSorted());
});

describe('the contract documents the period for callers', () => {
  it.each([
    ['listAlerts', 'alert'],
    ['listNotifications', 'notification'],
    ['listWebhookDeliveries', 'webhook_delivery'],
    ['listScheduleRuns', 'schedule_run'],
    ['listPluginConfigApplications', 'plugin_application'],
    ['listPlayerSessions', 'player_session'],
    ['submitPlayerEvent', 'player_event'],
    ['submitPlayerEvent', 'player_session'],
    ['submitPlayerEvent', 'player'],
    ['listInstanceMetrics', 'instance_stats'],
    ['getInstanceMetricsSeries', 'instance_stats_5m'],
    ['getInstanceMetricsSeries', 'instance_stats_hour'],
    ['getPlayerAnalytics', 'player_day'],
    ['getPlayerRetention', 'wipe_player'],
    ['exportLicenseData', 'event_log'],
    ['listEvents', 'event_log'],
    ['placeOrder', 'store_order'],
    ['getStoreOrder', 'store_order'],
  ])('%s: %s', (id, table) => {
    expect(descriptionsOf(id)).toContain(`${kept[table]} days`);
  });

  it.each(['getPlayerAnalytics', 'getSessionLengths', 'getPeakHours'])('%s: counts of days', (id) => {
    const counts = ['session_day', 'session_quarter', 'player_day_count', 'player_return'];
    expect(new Set(counts.map((table) => kept[table])).size).toBe(1);
    expect(descriptionsOf(id)).toContain(`kept for ${keptDays.session_day} days`);
  });
});
