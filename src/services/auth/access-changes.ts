// Spreads the news that somebody's access has changed: within this process and to the other replicas.
import type { Bus } from '../../bus/bus.ts';
import { isStorable } from '../../text.ts';

/** Whose access changed: a user's, one session's, or everybody's in a license. */
export interface AccessChange {
  user_id?: string;
  session_id?: string;
  license_id?: string;
}

type Listener = (change: AccessChange) => void;

export class AccessChanges {
  readonly #listeners = new Set<Listener>();
  readonly #bus: Pick<Bus, 'publishInternal'>;

  constructor(bus: Pick<Bus, 'publishInternal' | 'subscribe' | 'subjects'>) {
    this.#bus = bus;
    bus.subscribe(bus.subjects.internal('access-changed'), (message) => {
      const change = message.json<AccessChange>();
      if (isStorable(change)) this.#tell(change);
    });
  }

  on(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Call it after the change is committed. */
  announce(change: AccessChange): void {
    this.#tell(change);
    this.#bus.publishInternal('access-changed', change);
  }

  #tell(change: AccessChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}
