// One configuration applied to many servers: what was requested, so that a reload loses nothing.
import { useSyncExternalStore } from 'react';
import type { Schemas } from '../../api/operations.ts';
import { reasonOf } from '../../api/problem.ts';
import { write } from '../../api/writing.ts';
import { tagOf } from '../../shared/draft.ts';
import { inParallel } from '../../shared/parallel.ts';

export interface ApplyItem {
  instanceId: string;
  name: string;
  /** The application that the platform accepted. */
  applicationId?: string;
  /** Why the platform refused. */
  refusal?: string;
}

export interface ApplyRun {
  configId: string;
  version: number;
  startedAt: string;
  items: readonly ApplyItem[];
}

const storageKey = 'gantry-plugin-config-run';

let current: ApplyRun | null = stored();
const listeners = new Set<() => void>();

function stored(): ApplyRun | null {
  const text = window.sessionStorage.getItem(storageKey);
  return text === null ? null : (JSON.parse(text) as ApplyRun);
}

function setRun(run: ApplyRun | null): void {
  current = run;
  if (run === null) window.sessionStorage.removeItem(storageKey);
  else window.sessionStorage.setItem(storageKey, JSON.stringify(run));
  for (const listener of listeners) listener();
}

export const closeRun = (): void => setRun(null);

/** The latest run of this configuration. */
export function useApplyRun(configId: string): ApplyRun | null {
  const run = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
  return run?.configId === configId ? run : null;
}

/** Requests the application of exactly this version to each server, a few at a time. */
export async function applyTo(
  { kind, id, version }: Schemas['PluginConfigSummary'],
  servers: readonly { id: string; name: string }[],
): Promise<void> {
  const startedAt = new Date().toISOString();
  const items = servers.map((server) => ({ instanceId: server.id, name: server.name }));
  setRun({ configId: id, version, startedAt, items });
  const requested = async (instanceId: string): Promise<Partial<ApplyItem>> => {
    try {
      const application = await write('POST /api/plugin-configs/{kind}/{plugin_config_id}/apply', {
        params: { path: { kind, plugin_config_id: id }, header: { 'If-Match': tagOf(version) } },
        body: { instance_id: instanceId },
      });
      return { applicationId: application.id };
    } catch (error) {
      return { refusal: reasonOf(error as Error) };
    }
  };
  await inParallel(servers, async (server) => record(startedAt, server.id, await requested(server.id)));
}

/** Ignores what comes from a run that was closed or replaced. */
function record(startedAt: string, instanceId: string, outcome: Partial<ApplyItem>): void {
  if (current?.startedAt !== startedAt) return;
  setRun({
    ...current,
    items: current.items.map((item) => (item.instanceId === instanceId ? { ...item, ...outcome } : item)),
  });
}
