// How a simulated host carries out commands: it accepts them at once and plans what follows.
import type { BusSchemas, CommandVerb } from '../platform-contract/bus-types.ts';
import { typeLine } from './console.ts';
import { sha256Of, textFile } from './content.ts';
import { leave } from './players.ts';
import { beginStart, beginStop } from './power.ts';
import { backupOf, reportBackups, reportWipe } from './reports.ts';
import { changeState, finish, plan, print, type SimulatedHost, type SimulatedServer } from './state.ts';

type Envelope = BusSchemas['CommandEnvelope'];
type ErrorCode = NonNullable<BusSchemas['CommandResult']['error_code']>;

/** The command, and where and when it is carried out. */
interface Work {
  host: SimulatedHost;
  server: SimulatedServer;
  instance: string;
  nowMs: number;
  id: string;
  args: Record<string, unknown>;
  /** Content of uploads that the command names, in base64. */
  uploads: ReadonlyMap<string, string>;
}

const backupMs = 2_000;

const succeed = (
  { host, nowMs, id }: Work,
  detail: string,
  more: Partial<BusSchemas['CommandResult']> = {},
) => finish(host, nowMs, { command_id: id, status: 'succeeded', detail, ...more });

const fail = ({ host, nowMs, id }: Work, error_code: ErrorCode, detail: string) =>
  finish(host, nowMs, { command_id: id, status: 'failed', error_code, detail });

const textOf = (args: Record<string, unknown>, name: string): string => {
  const value = args[name];
  return typeof value === 'string' ? value : '';
};

/** Commands that need a running game server. */
function whileRunning(work: Work, then: () => void): void {
  if (work.server.state === 'running') then();
  else fail(work, 'not_running', 'The instance is not running.');
}

const carriedOut: Partial<Record<CommandVerb, (work: Work) => void>> = {
  start: (work) => {
    if (work.server.state === 'running') succeed(work, 'The process is running already.');
    else beginStart(work, work.id);
  },
  stop: (work) => {
    if (work.server.state === 'stopped' || work.server.state === 'crashed') {
      changeState(work.host, work.instance, 'stopped', work.nowMs);
      succeed(work, 'The process is not running.');
    } else beginStop(work, { commandId: work.id, startsAgain: false });
  },
  restart: (work) => {
    if (work.server.state === 'running') beginStop(work, { commandId: work.id, startsAgain: true });
    else beginStart(work, work.id);
  },
  announce: (work) =>
    whileRunning(work, () => {
      type(work, `say ${textOf(work.args, 'message')}`);
      succeed(work, 'The message was typed.');
    }),
  type: (work) =>
    whileRunning(work, () => {
      const text = type(work, textOf(work.args, 'line'));
      succeed(work, 'The line was typed.', {
        ...(work.args['wants_output'] === true && { output: { text, is_truncated: false, source: 'reply' } }),
      });
    }),
  type_lines: (work) =>
    whileRunning(work, () => {
      const lines = Array.isArray(work.args['lines']) ? (work.args['lines'] as string[]) : [];
      for (const line of lines)
        type(
          work,
          line
            .replaceAll('{steam_id}', textOf(work.args, 'steam_id'))
            .replaceAll('{player_name}', JSON.stringify(textOf(work.args, 'player_name'))),
        );
      succeed(work, 'The lines were typed.');
    }),
  deliver: (work) =>
    whileRunning(work, () => {
      const steamId = textOf(work.args, 'steam_id');
      const isOnline = work.server.players.some((player) => player.steamId === steamId);
      if (work.args['needs_online_player'] === true && !isOnline) {
        fail(work, 'player_not_found', 'The player is not online.');
        return;
      }
      const values: Record<string, string> = {
        '{steam_id}': steamId,
        '{player_name}': JSON.stringify(textOf(work.args, 'player_name')),
        '{item_name}': JSON.stringify(textOf(work.args, 'item_name')),
        '{quantity}': String(work.args['quantity']),
        '{transaction_id}': textOf(work.args, 'transaction_id'),
      };
      for (const template of work.args['commands'] as string[])
        type(
          work,
          template.replaceAll(/\{[a-z_]+\}/g, (placeholder) => values[placeholder] ?? placeholder),
          'store',
        );
      succeed(work, 'The delivery has arrived.');
    }),
  kick_player: (work) =>
    whileRunning(work, () => {
      const left = leave(work.host, work.instance, work.nowMs, textOf(work.args, 'steam_id'));
      if (left === undefined) fail(work, 'player_not_found', 'The player is not online.');
      else succeed(work, `${left.name} was kicked.`);
    }),
  ban_player: (work) =>
    whileRunning(work, () => {
      const steamId = textOf(work.args, 'steam_id');
      if (work.args['only_if_free'] === true && work.server.bans.includes(steamId)) {
        fail(work, 'already_banned', 'The player has another ban.');
        return;
      }
      work.server.bans = [...new Set([...work.server.bans, steamId])];
      leave(work.host, work.instance, work.nowMs, steamId);
      succeed(work, 'The player was banned.');
    }),
  unban_player: (work) =>
    whileRunning(work, () => {
      const steamId = textOf(work.args, 'steam_id');
      work.server.bans = work.server.bans.filter((banned) => banned !== steamId);
      succeed(work, 'The ban was lifted.');
    }),
  message_player: (work) =>
    whileRunning(work, () => {
      const steamId = textOf(work.args, 'steam_id');
      if (!work.server.players.some((player) => player.steamId === steamId)) {
        fail(work, 'player_not_found', 'The player is not online.');
        return;
      }
      type(work, `pm ${steamId} ${textOf(work.args, 'text')}`);
      succeed(work, 'The message was sent.');
    }),
  load_plugin: (work) => changePlugin(work, 'loaded', 'was loaded'),
  reload_plugin: (work) => changePlugin(work, 'loaded', 'was reloaded'),
  unload_plugin: (work) => changePlugin(work, 'unloaded', 'was unloaded'),
  uninstall_plugin: (work) => {
    const name = textOf(work.args, 'plugin');
    if (!work.server.plugins.some((plugin) => plugin.name === name)) {
      fail(work, 'plugin_not_found', `There is no plugin ${name}.`);
      return;
    }
    work.server.plugins = work.server.plugins.filter((plugin) => plugin.name !== name);
    delete filesOf(work)[`oxide/plugins/${name}.cs`];
    succeed(work, `${name} was uninstalled.`);
  },
  install_plugin: (work) => install(work, work.uploads.get(textOf(work.args, 'upload'))),
  install_module: (work) => install(work, textFile('// A simulated module.\n')),
  apply_plugin_files: (work) => {
    const files = work.args['files'] as BusSchemas['AppliedPluginFile'][];
    for (const { file, present } of files) {
      const known = filesOf(work)[`oxide/${file}`];
      if ((known === undefined ? null : sha256Of(known)) !== present) {
        fail(work, 'files_changed', `${file} has changed since it was read.`);
        return;
      }
    }
    for (const { file, upload } of files) {
      const content = work.uploads.get(upload);
      if (content !== undefined) filesOf(work)[`oxide/${file}`] = content;
    }
    succeed(work, 'The files were written.', { is_loaded: work.server.state === 'running' });
  },
  create_backup: (work) => {
    const { kind, paths, note } = work.args as BusSchemas['CreateBackupArguments'];
    plan(work.host, {
      atMs: work.nowMs + backupMs,
      instance: work.instance,
      kind: 'backup',
      commandId: work.id,
      record: backupOf(work, work.id, kind, { ...(paths && { paths }), ...(note && { note }) }),
    });
  },
  restore_backup: (work) => {
    const backup = work.server.backups.find(({ id }) => id === work.args['backup_id']);
    if (backup === undefined) fail(work, 'no_backup', 'The host does not have the backup.');
    else
      plan(work.host, {
        atMs: work.nowMs + backupMs,
        instance: work.instance,
        kind: 'finish',
        result: { command_id: work.id, status: 'succeeded', detail: `${backup.files} files were restored.` },
      });
  },
  delete_backup: (work) => {
    const { backups } = work.server;
    work.server.backups = backups.filter(({ id }) => id !== work.args['backup_id']);
    if (work.server.backups.length === backups.length) {
      fail(work, 'no_backup', 'The host does not have the backup.');
      return;
    }
    reportBackups(work.host, work.instance);
    succeed(work, 'The backup was deleted.');
  },
  wipe: (work) => {
    const { wipe_id: id, request } = work.args as BusSchemas['WipeArguments'];
    if (work.server.wipe !== null) {
      fail(work, 'wipe_under_way', 'The instance is being wiped.');
      return;
    }
    work.server.wipe = { id, seq: 0, request, wasRunning: work.server.state === 'running' };
    succeed(work, 'The wipe is planned.');
    reportWipe(work.host, work.instance, 'planned', work.nowMs);
    const endMs = work.nowMs + request.countdown_seconds * 1_000;
    if (request.countdown_seconds > 0) {
      if (work.server.state === 'running')
        type(work, `say ${request.message ?? 'The map is wiped soon.'}`, 'wipe');
      reportWipe(work.host, work.instance, 'announcing', work.nowMs, {
        due_at: new Date(endMs).toISOString(),
      });
    }
    plan(work.host, { atMs: endMs, instance: work.instance, kind: 'wipe', status: 'stopping' });
  },
  cancel_wipe: (work) => {
    const { wipe } = work.server;
    const isCounting = work.host.steps.some(
      ({ instance, ...step }) =>
        instance === work.instance && step.kind === 'wipe' && step.status === 'stopping',
    );
    if (wipe === null || wipe.id !== work.args['wipe_id'] || !isCounting) {
      fail(work, 'wipe_begun', 'The wipe can no longer be cancelled.');
      return;
    }
    work.host.steps = work.host.steps.filter(
      ({ instance, kind }) => instance !== work.instance || kind !== 'wipe',
    );
    reportWipe(work.host, work.instance, 'cancelled', work.nowMs);
    work.server.wipe = null;
    succeed(work, 'The wipe was cancelled.');
  },
};

/** Accepts the command, or refuses it, and plans what follows. */
export function takeCommand(
  host: SimulatedHost,
  envelope: Envelope,
  nowMs: number,
  uploads: ReadonlyMap<string, string>,
): BusSchemas['CommandReply'] {
  const { id, instance, verb, args } = envelope;
  const server = host.servers[instance];
  if (server === undefined)
    return { v: 1, id, accepted: false, reason: 'unknown_instance', detail: `There is no ${instance}.` };
  const carryOut = carriedOut[verb];
  if (carryOut === undefined)
    return { v: 1, id, accepted: false, reason: 'not_supported', detail: `The simulation has no ${verb}.` };
  carryOut({ host, server, instance, nowMs, id, args, uploads });
  return { v: 1, id, accepted: true };
}

function type(work: Work, line: string, by = textOf(work.args, 'by') || 'platform'): string {
  return typeLine(work.host, work.instance, work.nowMs, { line, by });
}

function changePlugin(work: Work, state: 'loaded' | 'unloaded', done: string): void {
  whileRunning(work, () => {
    const name = textOf(work.args, 'plugin');
    const plugin = work.server.plugins.find((one) => one.name === name);
    if (plugin === undefined) {
      fail(work, 'plugin_not_found', `There is no plugin ${name}.`);
      return;
    }
    plugin.state = state;
    print(work.server, `${state === 'loaded' ? 'Loaded' : 'Unloaded'} plugin ${name}`, work.nowMs);
    succeed(work, `${name} ${done}.`);
  });
}

function install(work: Work, content: string | undefined): void {
  const name = textOf(work.args, 'plugin');
  if (content === undefined) {
    fail(work, 'invalid', 'The upload has expired.');
    return;
  }
  const isRunning = work.server.state === 'running';
  work.server.plugins = [
    ...work.server.plugins.filter((plugin) => plugin.name !== name),
    { name, title: name, version: '1.0.0', file: `${name}.cs`, state: isRunning ? 'loaded' : 'unloaded' },
  ];
  filesOf(work)[`oxide/plugins/${name}.cs`] = content;
  succeed(work, `${name} was installed.`);
}

const filesOf = ({ host, instance }: Work): Record<string, string> => (host.files[instance] ??= {});
