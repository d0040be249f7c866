// The host key of the person at the portal: in memory, and in the storage of this tab if the person wishes.
import { useSyncExternalStore } from 'react';

const name = 'gantry-host-key';
const listeners = new Set<() => void>();

let key: string | null = window.sessionStorage.getItem(name);
let isRefused = false;

type KeyChange = (next: string | null) => void;

const changes = new Set<KeyChange>();

/** What was read and done with the former key is not for the holder of the next one. */
export const beforeKeyChange = (change: KeyChange): void => void changes.add(change);

function set(next: string | null): void {
  for (const change of changes) change(next);
  key = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const hostKey = (): string => key ?? '';

export const useHostKey = (): string | null => useSyncExternalStore(subscribe, () => key);

/** Whether the platform has refused the key that the person had. */
export const useIsRefused = (): boolean => useSyncExternalStore(subscribe, () => isRefused);

export function keepHostKey(next: string, isRemembered: boolean): void {
  isRefused = false;
  if (isRemembered) window.sessionStorage.setItem(name, next);
  set(next);
}

export function forgetHostKey({ refused = false } = {}): void {
  isRefused = refused;
  window.sessionStorage.removeItem(name);
  set(null);
}

/** The part of a key that identifies it, and is no secret. */
export const identifierOf = (hostKeyText: string): string => hostKeyText.split('_')[2] ?? '';
