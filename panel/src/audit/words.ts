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

/** The name of the changed resource, if its recorded fields have one. */
export function objectName({ before, after }: AuditEntry): string | null {
  for (const fields of [after, before]) {
    for (const name of namingFields) {
      const value = fields?.[name];
      if (typeof value === 'string' && value !== '') return value;
    }
  }
  return null;
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
