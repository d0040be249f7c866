// Secrets that were just created, by webhook: they cannot be read again, so they outlast a change of the page.
import { useSyncExternalStore } from 'react';
import { beforeLeaving } from '../session/drafts.ts';

const secrets = new Map<string, string>();
const listeners = new Set<() => void>();

beforeLeaving(() => {
  secrets.clear();
  notify();
});

function notify(): void {
  for (const listener of listeners) listener();
}

export function keepSecret(webhookId: string, secret: string): void {
  secrets.set(webhookId, secret);
  notify();
}

export function forgetSecret(webhookId: string): void {
  secrets.delete(webhookId);
  notify();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useFreshSecret = (webhookId: string): string | undefined =>
  useSyncExternalStore(subscribe, () => secrets.get(webhookId));
