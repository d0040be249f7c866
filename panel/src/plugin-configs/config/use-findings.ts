// What the platform finds in the settings while they are edited.
import { useEffect, useState } from 'react';
import { problemOf } from '../../api/problem.ts';
import { write } from '../../api/writing.ts';
import type { Finding } from '../editors/editing.ts';
import type { KindName } from '../kinds.ts';
import type { JsonObject } from '../schema/data.ts';

const pauseMs = 600;

export interface Check {
  findings: readonly Finding[];
  /** Why the settings could not be checked. */
  error: Error | null;
}

const unchecked: Check = { findings: [], error: null };

export function useFindings(kind: KindName, data: JsonObject): Check {
  const [check, setCheck] = useState(unchecked);
  useEffect(() => {
    let isCurrent = true;
    const run = async () => {
      const result = await checked(kind, data);
      if (isCurrent) setCheck(result);
    };
    const timer = setTimeout(() => void run(), pauseMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [kind, data]);
  return check;
}

async function checked(kind: KindName, data: JsonObject): Promise<Check> {
  try {
    const { faults, warnings, not_written } = await write('POST /api/plugin-configs/{kind}/validate', {
      params: { path: { kind } },
      body: { kind, config_data: data },
    });
    return {
      findings: [
        ...faults.map((finding) => ({ ...finding, tone: 'fault' }) as const),
        ...warnings.map((finding) => ({ ...finding, tone: 'warning' }) as const),
        ...not_written.map((finding) => ({ ...finding, tone: 'note' }) as const),
      ],
      error: null,
    };
  } catch (error) {
    const findings = refusedPlaces(error as Error);
    return findings.length > 0 ? { findings, error: null } : { findings: [], error: error as Error };
  }
}

const root = '/config_data';

/** Values of a wrong type or out of range are refused with their places in the request. */
export function refusedPlaces(error: Error | null): Finding[] {
  return (problemOf(error)?.errors ?? [])
    .filter((fault) => fault.in === 'body' && fault.pointer.startsWith(root))
    .map(({ pointer, detail }) => {
      const inner = pointer.slice(root.length);
      return { pointer: inner, place: placeIn(inner), detail, tone: 'fault' };
    });
}

const placeIn = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join(' › ');
