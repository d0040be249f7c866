// Unsaved changes of a configuration, which outlast a closed tab in this browser.
import { useEffect, useRef, useState } from 'react';
import type { Draft, KeptChanges } from '../../shared/draft.ts';
import type { JsonObject } from '../schema/data.ts';

export interface ConfigValues {
  name: string;
  data: JsonObject;
}

interface Stored extends KeptChanges<ConfigValues> {
  at: string;
}

const prefix = 'gantry-plugin-config';
/** Typing causes one writing. */
const pauseMs = 400;

export interface Place {
  userId: string;
  licenseId: string | null;
  configId: string;
}

const keyOf = ({ userId, licenseId, configId }: Place): string =>
  [prefix, userId, licenseId ?? '', configId].join('/');

export function readKept(place: Place): Stored | null {
  const text = window.localStorage.getItem(keyOf(place));
  return text === null ? null : (JSON.parse(text) as Stored);
}

/** Configurations that are gone, whose changes are not kept when their page is left. */
const deleted = new Set<string>();

export function removeKept(place: Place): void {
  deleted.add(keyOf(place));
  window.localStorage.removeItem(keyOf(place));
}

/** Keeps the draft while it has changes. Returns whether it is kept: a full storage refuses large ones. */
export function useKeep(place: Place, { values, base, isDirty }: Draft<ConfigValues>): boolean {
  const key = keyOf(place);
  const [isKept, setIsKept] = useState(true);
  const latest = useRef<KeptChanges<ConfigValues> | null>(null);
  useEffect(() => {
    latest.current = isDirty ? { values, base } : null;
    if (!isDirty) {
      window.localStorage.removeItem(key);
      return undefined;
    }
    const timer = setTimeout(() => setIsKept(store(key, { values, base })), pauseMs);
    return () => clearTimeout(timer);
  }, [key, values, base, isDirty]);
  // The page may be left before the pause is over.
  useEffect(() => {
    const storeLatest = () => {
      if (latest.current !== null) store(key, latest.current);
    };
    window.addEventListener('pagehide', storeLatest);
    return () => {
      window.removeEventListener('pagehide', storeLatest);
      storeLatest();
    };
  }, [key]);
  return isKept;
}

function store(key: string, changes: KeptChanges<ConfigValues>): boolean {
  if (deleted.has(key)) return true;
  try {
    window.localStorage.setItem(key, JSON.stringify({ ...changes, at: new Date().toISOString() }));
    return true;
  } catch {
    return false;
  }
}
