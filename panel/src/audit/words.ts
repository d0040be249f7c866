// Entries of the audit log in words.
import { useTexts } from '../texts/texts.ts';
import type { AuditEntry } from './audit-search.ts';

/** Fields that name a resource, the best name first. */
const namingFields = ['name', 'email', 'title', 'label', 'hostname', 'path', 'subdomain', 'plugin', 'verb'];

/** Names by ID, of the members, keys, roles and servers that the user may see. */
export type Names = ReadonlyMap<string, string>;

/** The name of the changed resource, if its recorded fields have one, or that of the user it belongs to. */
export function objectName({ before, after, target_type, actor }: AuditEntry, names: Names): string | null {
  for (const fields of [after, before]) {
    for (const name of namingFields) {
      const value = fields?.[name];
      if (typeof value === 'string' && value !== '') return value;
    }
  }
  const userId = after?.['user_id'] ?? before?.['user_id'];
  if (typeof userId === 'string') return names.get(userId) ?? null;
  // A change records only what has changed; users change their own sessions, and the invitations that they accept.
  const isOwn = target_type === 'session' || target_type === 'invitation';
  return isOwn && actor.kind === 'user' ? actor.label : null;
}

/** Those names, and the names that the entries themselves have of their actors. */
export function withActors(names: Names, entries: readonly AuditEntry[]): Names {
  const all = new Map(names);
  for (const { actor } of entries)
    if (actor.id !== null && actor.label !== null && !all.has(actor.id)) all.set(actor.id, actor.label);
  return all;
}

/** The server that was changed, or that the changed resource belongs to. */
export function serverOf({ target_type, target_id, before, after }: AuditEntry): string | null {
  if (target_type === 'instance') return target_id;
  const id = after?.['instance_id'] ?? before?.['instance_id'];
  return typeof id === 'string' ? id : null;
}

/** Identifiers and counters, which are no quantities. */
const isIdentifier = (field: string): boolean =>
  field === 'seed' || field === 'app_id' || /(^|_)(seq|port|id|version)$/.test(field);

export function useAuditWords() {
  const t = useTexts('audit');
  const instance = useTexts('instance');
  return {
    /** The name of a recorded field, such as "With a backup". */
    field: (name: string): string => t(`fields.${name}`, { defaultValue: spaced(name) }),
    isIdentifier,
    /** What a recorded command asks for; null for other resources. */
    verb: ({ target_type, before, after }: AuditEntry): string | null => {
      const kind = target_type === 'command' ? (after?.['kind'] ?? before?.['kind']) : undefined;
      return typeof kind === 'string' ? instance(`kinds.${kind as 'start'}`, { defaultValue: kind }) : null;
    },
    /** The kind of a resource without a name, such as a wipe of the map. */
    kindOf: ({ before, after }: AuditEntry): string | null => {
      const kind = after?.['kind'] ?? before?.['kind'];
      return typeof kind === 'string' ? t(`kindNames.${kind}`, { defaultValue: kind }) : null;
    },
    /** What happened to what, such as "Role changed". */
    change: ({ target_type, action }: AuditEntry): string =>
      t('change', {
        type: t(`types.${target_type}`, { defaultValue: target_type }),
        action: t(`actions.${action}`, { defaultValue: action }),
      }),
    actor: ({ actor: { kind, id, label } }: AuditEntry): string =>
      kind === 'job' && id !== null
        ? t(`jobs.${id}`, { defaultValue: label ?? id })
        : (label ?? t(`kinds.${kind}`, { defaultValue: kind })),
    kind: ({ actor: { kind } }: AuditEntry): string => t(`kinds.${kind}`, { defaultValue: kind }),
  };
}

/** "with_backup" as "With backup". */
function spaced(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
