// Parts of the page that show events themselves, as they arrive.
import type { Schemas } from '../api/operations.ts';

type Listener = (event: Schemas['Event']) => void;

const listeners = new Set<Listener>();

/** Returns the function that ends it. */
export function listen(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function publish(event: Schemas['Event']): void {
  for (const listener of listeners) listener(event);
}
