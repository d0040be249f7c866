// Entries of the audit log in words.
import { useTexts } from '../texts/texts.ts';
import type { AuditEntry } from './audit-search.ts';

/** Fields that name a resource, the best name first. */
const namingFields = [
  'name',
  'email',
  'title',
  'label',
  'hostname',
  'path',
  'subdomain',
  'plugin',
  'verb',
  'kind',
];

/** Names by ID, of the members, keys and roles that the user may see. */
export type Names = ReadonlyMap<string, string>;

/** The name of the changed resource, if its recorded fields have one, or that of the user it belongs to. */
export function objectName({ before, after }: AuditEntry, names: Names): string | null {
  for (const fields of [after, before]) {
    for (const name of namingFields) {
      const value = fields?.[name];
      if (typeof value === 'string' && value !== '') return value;
    }
  }
  const userId = after?.['user_id'] ?? before?.['user_id'];
  return typeof userId === 'string' ? (names.get(userId) ?? null) : null;
}

export function useAuditWords() {
  const t = useTexts('audit');
  return {
    /** What happened to what, such as "Role changed". */
    change: ({ target_type, action }: AuditEntry): string =>
      t('change', {
        type: t(`types.${target_type}`, { defaultValue: target_type }),
        action: t(`actions.${action}`, { defaultValue: action }),
      }),
    actor: ({ actor: { kind, id, label } }: AuditEntry): string =>
      label ?? (kind === 'job' && id !== null ? id : t(`kinds.${kind}`, { defaultValue: kind })),
    kind: ({ actor: { kind } }: AuditEntry): string => t(`kinds.${kind}`, { defaultValue: kind }),
  };
}
