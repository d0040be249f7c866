// Why backups are made.

export const kinds = ['manual', 'scheduled', 'wipe', 'before_restore'] as const;
