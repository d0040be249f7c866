// A configuration document from a file: what is in it, and the request that imports it.
import type { Schemas } from '../../api/operations.ts';

export interface ConfigurationFile {
  name: string;
  /** As it is in the file: its checksum depends on the order of its fields. */
  text: string;
  exportedAt: string | null;
  parts: { name: string; count: number }[];
  instances: NamedInstance[];
}

export interface NamedInstance {
  host: string;
  instance: string;
}

export type Mode = Schemas['MigrationMode'];

/** The limit of the platform, with room for the rest of the request. */
export const maxBytes = 8 * 1024 * 1024 - 64 * 1024;

interface Unread {
  format?: unknown;
  exported_at?: unknown;
  parts?: Record<string, { items?: unknown }>;
}

/** Null if the text is no configuration document. */
export function readConfiguration(name: string, text: string): ConfigurationFile | null {
  const document = parsed(text);
  if (document?.format !== 'gantry-migration' || typeof document.parts !== 'object') return null;
  const parts = Object.entries(document.parts).map(([part, content]) => ({
    name: part,
    items: Array.isArray(content.items) ? (content.items as unknown[]) : [],
  }));
  return {
    name,
    text,
    exportedAt: typeof document.exported_at === 'string' ? document.exported_at : null,
    parts: parts.map((part) => ({ name: part.name, count: part.items.length })),
    instances: instancesIn(parts.flatMap(({ items }) => items)),
  };
}

function parsed(text: string): Unread | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** The instances that entries name, each once. */
function instancesIn(items: readonly unknown[]): NamedInstance[] {
  const found = new Map<string, NamedInstance>();
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return;
    const { host, instance, instances } = value as Record<string, unknown>;
    if (typeof host === 'string' && typeof instance === 'string')
      found.set(JSON.stringify([host, instance]), { host, instance });
    if (Array.isArray(instances)) instances.forEach(visit);
  };
  items.forEach(visit);
  return [...found.values()];
}

export interface ImportOptions {
  isDryRun: boolean;
  modes: Readonly<Record<string, Mode>>;
  instanceMap: Schemas['InstanceMapping'][];
}

/** The requests of one file: the same options give the same body, so that a repetition is known as one. */
export function requestBodies(file: ConfigurationFile) {
  const bodies = new Map<string, Schemas['MigrationImport']>();
  return (options: ImportOptions): Schemas['MigrationImport'] => {
    const key = JSON.stringify(options);
    const body = bodies.get(key) ?? requestBody(file, options);
    bodies.set(key, body);
    return body;
  };
}

/** The document is sent as it is in the file. */
function requestBody(file: ConfigurationFile, options: ImportOptions): Schemas['MigrationImport'] {
  const rest = JSON.stringify({
    dry_run: options.isDryRun,
    modes: options.modes,
    instance_map: options.instanceMap,
  });
  const body = new Blob([`{"document":${file.text},${rest.slice(1)}`], { type: 'application/json' });
  return body as unknown as Schemas['MigrationImport'];
}
