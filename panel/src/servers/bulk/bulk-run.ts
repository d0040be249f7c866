// One action on many servers: requests it for each, and remembers the commands so that a reload loses nothing.
import { useSyncExternalStore } from 'react';
import { reasonOf } from '../../api/problem.ts';
import { write } from '../../api/writing.ts';
import { inParallel } from '../../shared/parallel.ts';
import type { Server } from '../server-search.ts';

export type BulkAction = 'start' | 'stop' | 'restart' | 'kill' | 'message' | 'update';

export interface BulkItem {
  instanceId: string;
  name: string;
  /** Whether the server was in the wanted state before, so that the command changes nothing. */
  wasAlready?: boolean;
  /** Whether the agent of its host has the version of the platform's release, so that it gets no command. */
  isCurrent?: boolean;
  /** The command that the platform accepted. */
  commandId?: string;
  /** Why the platform refused. */
  refusal?: string;
}

/** Whether it has a command, was refused, or needs no command. */
export const isRequested = ({ commandId, refusal, isCurrent }: BulkItem): boolean =>
  commandId !== undefined || refusal !== undefined || isCurrent === true;

export interface BulkRun {
  action: BulkAction;
  startedAt: string;
  items: readonly BulkItem[];
}

const storageKey = 'gantry-bulk-run';

let current: BulkRun | null = stored();
const listeners = new Set<() => void>();

function stored(): BulkRun | null {
  const text = window.sessionStorage.getItem(storageKey);
  return text === null ? null : (JSON.parse(text) as BulkRun);
}

function setRun(run: BulkRun | null): void {
  current = run;
  if (run === null) window.sessionStorage.removeItem(storageKey);
  else window.sessionStorage.setItem(storageKey, JSON.stringify(run));
  for (const listener of listeners) listener();
}

export const closeRun = (): void => setRun(null);

export const useBulkRun = (): BulkRun | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );

/** Requests the action for each server, a few at a time. */
export async function runBulk(action: BulkAction, servers: readonly Server[], message = ''): Promise<void> {
  const startedAt = new Date().toISOString();
  setRun({ action, startedAt, items: servers.map((server) => itemOf(action, server)) });
  if (action === 'update') {
    await requestUpdates(startedAt, servers);
    return;
  }
  await inParallel(servers, async (server) =>
    note(startedAt, server.id, await requested(action, server, message)),
  );
}

function itemOf(action: BulkAction, { id, name, state }: Server): BulkItem {
  const wasAlready =
    (action === 'start' && (state === 'running' || state === 'starting')) ||
    ((action === 'stop' || action === 'kill') && state === 'stopped');
  return { instanceId: id, name, wasAlready };
}

async function requested(
  action: Exclude<BulkAction, 'update'>,
  { id, game }: Server,
  message: string,
): Promise<Partial<BulkItem>> {
  try {
    const command = await request(action, id, lineFor(game, message));
    return { commandId: command.id };
  } catch (error) {
    return { refusal: reasonOf(error as Error) };
  }
}

/** One request updates the agents of all hosts; a host without a command has this version. */
async function requestUpdates(startedAt: string, servers: readonly Server[]): Promise<void> {
  const hostIds = [...new Set(servers.map(({ host_id }) => host_id))];
  try {
    const { commands } = await write('POST /api/fleet/agent-updates', { body: { host_ids: hostIds } });
    const commandOf = new Map(commands.map((command) => [command.host_id, command.id]));
    for (const { id, host_id } of servers) {
      const commandId = commandOf.get(host_id);
      note(startedAt, id, commandId === undefined ? { isCurrent: true } : { commandId });
    }
  } catch (error) {
    for (const { id } of servers) note(startedAt, id, { refusal: reasonOf(error as Error) });
  }
}

function request(action: Exclude<BulkAction, 'update'>, id: string, line: string) {
  const params = { path: { instance_id: id } };
  switch (action) {
    case 'start':
      return write('POST /api/instances/{instance_id}/start', { params });
    case 'stop':
      return write('POST /api/instances/{instance_id}/stop', { params });
    case 'kill':
      return write('POST /api/instances/{instance_id}/stop', {
        params: { ...params, query: { force: true } },
      });
    case 'restart':
      return write('POST /api/instances/{instance_id}/restart', { params });
    case 'message':
      return write('POST /api/instances/{instance_id}/console', { params, body: { line } });
  }
}

/** The console command of each game that shows a message to all players. */
const lineFor = (game: string | null, message: string): string =>
  game === 'openttd' ? `say "${message.replaceAll('"', "'")}"` : `say ${message}`;

/** Ignores what comes from a run that was closed or replaced. */
function note(startedAt: string, instanceId: string, outcome: Partial<BulkItem>): void {
  if (current?.startedAt !== startedAt) return;
  setRun({
    ...current,
    items: current.items.map((item) => (item.instanceId === instanceId ? { ...item, ...outcome } : item)),
  });
}
