// Unsaved changes of a configuration, which outlast a closed tab in this browser.
import { useEffect, useRef, useState } from 'react';
import { draftKey, writeDraft } from '../../shared/draft-storage.ts';
import type { Draft, KeptChanges } from '../../shared/draft.ts';
import type { JsonObject } from '../schema/data.ts';

export interface ConfigValues {
  name: string;
  data: JsonObject;
}

interface Stored extends KeptChanges<ConfigValues> {
  at: string;
}

/** Typing causes one writing. */
const pauseMs = 400;

const keyOf = (configId: string): string => draftKey('plugin-config', configId);

export function readKept(configId: string): Stored | null {
  const text = window.localStorage.getItem(keyOf(configId));
  return text === null ? null : (JSON.parse(text) as Stored);
}

/** Configurations that are gone, whose changes are not kept when their page is left. */
const deleted = new Set<string>();

export function removeKept(configId: string): void {
  deleted.add(keyOf(configId));
  window.localStorage.removeItem(keyOf(configId));
}

/** Keeps the draft while it has changes. Returns whether it is kept: a full storage refuses large ones. */
export function useKeep(configId: string, { values, base, isDirty }: Draft<ConfigValues>): boolean {
  const key = keyOf(configId);
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
  return deleted.has(key) || writeDraft(key, { ...changes, at: new Date().toISOString() });
}
