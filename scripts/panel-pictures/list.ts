// The pictures of docs/panel: what the tests keep, in the order of the panel's menu.

export interface Picture {
  /** Suite and screen, as the tests keep them. */
  screen: string;
  words: string;
}

interface Part {
  title: string;
  pictures: readonly Picture[];
}

/** On a desk, in light colours, unless the screen says otherwise. */
const of = (suite: string, screens: Readonly<Record<string, string>>): Picture[] =>
  Object.entries(screens).map(([screen, words]) => ({
    screen: `${suite}/${/-(?:light|dark)$/.test(screen) ? screen : `${screen}-1280-light`}`,
    words,
  }));

export const parts: readonly Part[] = [
  {
    title: 'The first server',
    pictures: [
      ...of('session', {
        setup: 'The first user, from the link that the start prints',
        'new-license': 'The first license',
        'add-host': 'The one command that adds a host',
        'sign-in': 'Signing in',
        'sign-in-390-dark': 'Signing in on a phone, in dark colors',
        'second-factor': 'The second factor',
        account: 'The own account',
      }),
    ],
  },
  {
    title: 'Servers',
    pictures: [
      ...of('servers', {
        servers: 'All servers of a license',
        'instance-overview': 'One server',
        console: 'Its console',
        'console-390-dark': 'The console on a phone',
        'stop-dialog': 'A dialog names whom a stop affects',
        'host-offline': 'The host of a server is offline',
      }),
      ...of('players', {
        online: 'The players who are on a server',
        record: 'One player',
        'ban-dialog': 'A ban with its reason and end',
      }),
      ...of('plugins', { plugins: 'The plugins of a server' }),
      ...of('files', {
        folder: 'The files of a server',
        editor: 'The editor',
        conflict: 'Two people have changed one file',
      }),
      ...of('wipes', {
        'plan-wipe': 'A wipe is planned',
        'review-wipe': 'What it would delete, before anything happens',
        'wipe-countdown': 'Its countdown',
        'wipe-complete': 'Its end',
      }),
      ...of('backups', { backups: 'Backups', 'restore-dialog': 'A backup is restored' }),
      ...of('stats', { stats: 'The statistics of a server', 'stats-1280-dark': 'The same in dark colors' }),
      ...of('clusters', { cluster: 'A cluster' }),
    ],
  },
  {
    title: 'Operate',
    pictures: [
      ...of('schedules', {
        'calendar-month': 'The calendar',
        schedules: 'Schedules',
        'new-wipe-schedule': 'A schedule of wipes',
      }),
      ...of('maps', { maps: 'Maps', 'deploy-map': 'A map is deployed' }),
      ...of('plugin-configs', {
        list: 'Plugin configurations',
        gather: 'Gather rates',
        loot: 'Loot tables',
        compare: 'What applying a configuration would change',
        results: 'The result for each server',
        'rolled-back': 'A plugin that could not load a version keeps the former one',
      }),
      ...of('alerts', { alerts: 'Alerts', 'alert-rules': 'Their rules', channel: 'A channel' }),
    ],
  },
  {
    title: 'Insight',
    pictures: [
      ...of('analytics', {
        players: 'Players over time',
        retention: 'Retention',
        'peak-hours': 'Peak hours',
        maps: 'Maps compared',
      }),
      ...of('webhooks', { events: 'Events' }),
      ...of('audit', { audit: 'The audit log', 'audit-entry': 'One change' }),
    ],
  },
  {
    title: 'Sell',
    pictures: [
      ...of('store', {
        'store-overview': 'The store',
        'store-items': 'What it sells',
        'store-order': 'An order and its delivery',
      }),
      ...of('status-page', { 'status-page': 'The public status page' }),
      ...of('modules', { modules: 'Modules' }),
    ],
  },
  {
    title: 'Manage',
    pictures: [
      ...of('team', {
        team: 'The team',
        role: 'A role and its permissions',
        'access-holders': 'Who may do what',
      }),
      ...of('api-keys', { 'new-api-key': 'An API key', 'api-key': 'Its permissions and last use' }),
      ...of('webhooks', { webhook: 'A webhook', 'webhook-delivery': 'A delivery with what was sent' }),
      ...of('license', { license: 'The license', 'license-import': 'A configuration from another license' }),
    ],
  },
  {
    title: 'The platform',
    pictures: [
      ...of('platform', { platform: 'The whole installation', 'platform-licenses': 'Its licenses' }),
      ...of('platform-resellers', { resellers: 'Resellers', 'resellers-bill': 'The bill of a month' }),
      ...of('platform-modules', { 'modules-one': 'A module of the catalog' }),
      ...of('platform-release-notes', { notes: 'Release notes' }),
    ],
  },
];
