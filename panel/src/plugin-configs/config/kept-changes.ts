// Unsaved changes of a configuration, which outlast a closed tab in this browser.
import { useEffect, useState } from 'react';
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

export const removeKept = (place: Place): void => window.localStorage.removeItem(keyOf(place));

/** Keeps the draft while it has changes. Returns whether it is kept: a full storage refuses large ones. */
export function useKeep(place: Place, { values, base, isDirty }: Draft<ConfigValues>): boolean {
  const key = keyOf(place);
  const [isKept, setIsKept] = useState(true);
  useEffect(() => {
    if (!isDirty) {
      window.localStorage.removeItem(key);
      return undefined;
    }
    let isStored = false;
    const store = () => {
      isStored = true;
      setIsKept(stored(key, { values, base, at: new Date().toISOString() }));
    };
    const timer = setTimeout(store, pauseMs);
    return () => {
      clearTimeout(timer);
      // The page is left before the pause was over.
      if (!isStored) stored(key, { values, base, at: new Date().toISOString() });
    };
  }, [key, values, base, isDirty]);
  useEffect(() => {
    if (!isDirty) return undefined;
    const storeNow = () => stored(key, { values, base, at: new Date().toISOString() });
    window.addEventListener('pagehide', storeNow);
    return () => window.removeEventListener('pagehide', storeNow);
  }, [key, values, base, isDirty]);
  return isKept;
}

function stored(key: string, changes: Stored): boolean {
  try {
    window.localStorage.setItem(key, JSON.stringify(changes));
    return true;
  } catch {
    return false;
  }
}
