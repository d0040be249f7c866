// One finding of the examination: what was checked, what was found, and how to fix it.

export interface Finding {
  check: string;
  level: 'ok' | 'warning' | 'problem';
  detail: string;
  /** What the operator does about it; every warning and every problem has one. */
  fix?: string;
}

export const ok = (check: string, detail: string): Finding => ({ check, level: 'ok', detail });

export const warning = (check: string, detail: string, fix: string): Finding => ({
  check,
  level: 'warning',
  detail,
  fix,
});

export const problem = (check: string, detail: string, fix: string): Finding => ({
  check,
  level: 'problem',
  detail,
  fix,
});
