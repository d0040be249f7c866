// How a simulated host carries out commands: it accepts them at once and plans what follows.
import type { BusSchemas, CommandVerb } from '../platform-contract/bus-types.ts';
import { fail, succeed, textOf, typeAs, whileRunning, type Work } from './command-work.ts';
import { leave } from './players.ts';
import { pluginCommands } from './plugin-commands.ts';
import { beginStart, beginStop } from './power.ts';
import { backupOf, reportBackups, reportWipe } from './reports.ts';
import { changeState, ownValue, plan, type SimulatedHost, type Step } from './state.ts';

type Envelope = BusSchemas['CommandEnvelope'];

const backupMs = 2_000;
const maxBans = 1_000;
/** What is planned on a host: work that takes time, and commands that wait. */
const maxSteps = 200;
/** The platform repeats a command within seconds, and sends a host fewer commands than this meanwhile. */
const maxTaken = 200;
/** Commands that wait until the server has started or stopped. */
const powerVerbs: ReadonlySet<CommandVerb> = new Set(['start', 'stop', 'restart']);

/** Null for verbs that simulated hosts refuse. */
const workOfVerb: Record<CommandVerb, ((work: Work) => void) | null> = {
  ...pluginCommands,
  change_instance: null,
  create_instance: null,
  delete_instance: null,
  deploy_map: null,
  remove_map: null,
  restore_plugin: null,
  unzip_file: null,
  update_agent: null,
  zip_files: null,
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
      typeAs(work, `say ${textOf(work.args, 'message')}`);
      succeed(work, 'The message was typed.');
    }),
  type: (work) =>
    whileRunning(work, () => {
      const text = typeAs(work, textOf(work.args, 'line'));
      succeed(work, 'The line was typed.', {
        ...(work.args['wants_output'] === true && { output: { text, is_truncated: false, source: 'reply' } }),
      });
    }),
  type_lines: (work) =>
    whileRunning(work, () => {
      const lines = Array.isArray(work.args['lines']) ? (work.args['lines'] as string[]) : [];
      for (const line of lines)
        typeAs(
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
        typeAs(
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
      if (!work.server.bans.includes(steamId) && work.server.bans.length >= maxBans) {
        fail(work, 'limit_reached', `A simulated server has at most ${maxBans} bans.`);
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
      typeAs(work, `pm ${steamId} ${textOf(work.args, 'text')}`);
      succeed(work, 'The message was sent.');
    }),
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
        typeAs(work, `say ${request.message ?? 'The map is wiped soon.'}`, 'wipe');
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
  if (instance === undefined)
    return { v: 1, id, accepted: false, reason: 'not_supported', detail: 'A simulated host has no agent.' };
  const server = ownValue(host.servers, instance);
  if (server === undefined)
    return { v: 1, id, accepted: false, reason: 'unknown_instance', detail: `There is no ${instance}.` };
  if (workOfVerb[verb] === null)
    return { v: 1, id, accepted: false, reason: 'not_supported', detail: `The simulation has no ${verb}.` };
  const taken = host.taken ?? [];
  if (!taken.includes(id)) {
    host.taken = [...taken, id].slice(-maxTaken);
    const work = { host, server, instance, nowMs, id, args, uploads };
    if (host.steps.length >= maxSteps) fail(work, 'limit_reached', 'The simulated host has too much to do.');
    else carryOut(work, envelope, [...transitions, 'command']);
  }
  return { v: 1, id, accepted: true };
}

/** Carries out a command that waited, unless the server starts or stops again. */
export function carryOutWaiting(host: SimulatedHost, envelope: Envelope, nowMs: number): void {
  const { id, instance, args } = envelope;
  const server = instance === undefined ? undefined : ownValue(host.servers, instance);
  if (instance === undefined || server === undefined) return;
  carryOut({ host, server, instance, nowMs, id, args, uploads: new Map() }, envelope, transitions);
}

/** Steps that end a start or a stop. */
const transitions: readonly Step['kind'][] = ['running', 'stopped'];

/** Power commands wait for steps of these kinds. */
function carryOut(work: Work, envelope: Envelope, awaited: readonly Step['kind'][]): void {
  const { host, instance, nowMs } = work;
  const times = host.steps
    .filter((step) => step.instance === instance && awaited.includes(step.kind))
    .map(({ atMs }) => atMs);
  if (powerVerbs.has(envelope.verb) && times.length > 0)
    plan(host, { atMs: Math.max(nowMs, ...times), instance, kind: 'command', envelope });
  else workOfVerb[envelope.verb]?.(work);
}
