// Requests an action for each of many servers.
import { newKey } from '../../api/intents.ts';
import { write } from '../../api/writing.ts';
import { keptRuns } from '../../shared/runs/kept-runs.ts';
import { recordRefusal, requestEach } from '../../shared/runs/request-each.ts';
import type { Run, RunItem, RunRequest, RunWork } from '../../shared/runs/run-store.ts';
import type { Server } from '../server-search.ts';

export type BulkAction = 'start' | 'stop' | 'restart' | 'kill' | 'message' | 'update';

export interface BulkItem extends RunItem {
  hostId: string;
  game: string | null;
  /** Whether the server was in the wanted state before, so that the command changes nothing. */
  wasAlready: boolean;
}

export interface BulkRun extends Run<BulkItem> {
  action: BulkAction;
  message: string;
}

const request: RunRequest<BulkRun> = ({ id, action, message }, items, work) =>
  action === 'update'
    ? requestUpdates(id, items, work.record)
    : requestEach(items, work, (item) => requestOne(action, item, lineFor(item.game, message)));

export const bulkRuns = keptRuns<BulkRun>('bulk', request);

export const runBulk = (action: BulkAction, servers: readonly Server[], message = ''): Promise<void> =>
  bulkRuns.start({
    id: newKey(),
    startedAt: new Date().toISOString(),
    action,
    message,
    items: servers.map((server) => itemOf(action, server)),
  });

function itemOf(action: BulkAction, { id, name, state, host_id, game }: Server): BulkItem {
  const wasAlready =
    (action === 'start' && (state === 'running' || state === 'starting')) ||
    ((action === 'stop' || action === 'kill') && state === 'stopped');
  return { instanceId: id, name, key: newKey(), hostId: host_id, game, wasAlready };
}

/** One request updates the agents of all hosts; a host without a command has this version. */
async function requestUpdates(
  key: string,
  items: readonly BulkItem[],
  record: RunWork['record'],
): Promise<void> {
  const hostIds = [...new Set(items.map(({ hostId }) => hostId))];
  try {
    const { commands } = await write('POST /api/fleet/agent-updates', {
      params: { header: { 'Idempotency-Key': key } },
      body: { host_ids: hostIds },
    });
    const commandOf = new Map(commands.map((command) => [command.host_id, command.id]));
    for (const { instanceId, hostId } of items) {
      const acceptedId = commandOf.get(hostId);
      record(instanceId, acceptedId === undefined ? { isCurrent: true } : { acceptedId });
    }
  } catch (error) {
    recordRefusal(items, error as Error, record);
  }
}

function requestOne(
  action: Exclude<BulkAction, 'update'>,
  { instanceId, key }: Pick<BulkItem, 'instanceId' | 'key'>,
  line: string,
) {
  const params = { path: { instance_id: instanceId }, header: { 'Idempotency-Key': key } };
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
