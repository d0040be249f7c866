// Applies one configuration to each of many servers.
import { newKey } from '../../api/intents.ts';
import type { Schemas } from '../../api/operations.ts';
import { write } from '../../api/writing.ts';
import { tagOf } from '../../shared/draft.ts';
import { keptRuns } from '../../shared/runs/kept-runs.ts';
import { requestEach } from '../../shared/runs/request-each.ts';
import type { Run, RunRequest } from '../../shared/runs/run-store.ts';

export interface ApplyRun extends Run {
  kind: Schemas['PluginConfigSummary']['kind'];
  configId: string;
  version: number;
}

/** Requests the application of exactly this version. */
const request: RunRequest<ApplyRun> = ({ kind, configId, version }, items, work) =>
  requestEach(items, work, ({ instanceId, key }) =>
    write('POST /api/plugin-configs/{kind}/{plugin_config_id}/apply', {
      params: {
        path: { kind, plugin_config_id: configId },
        header: { 'If-Match': tagOf(version), 'Idempotency-Key': key },
      },
      body: { instance_id: instanceId },
    }),
  );

export const applyRuns = keptRuns<ApplyRun>('plugin-config', request);

export const applyTo = (
  { kind, id, version }: Schemas['PluginConfigSummary'],
  servers: readonly { id: string; name: string }[],
): Promise<void> =>
  applyRuns.start({
    id: newKey(),
    startedAt: new Date().toISOString(),
    kind,
    configId: id,
    version,
    items: servers.map((server) => ({ instanceId: server.id, name: server.name, key: newKey() })),
  });
