// What an operation's handler is given: the manager's services.
import type { Services } from './services.ts';

export interface Ctx {
  services: Services;
  requestId: string;
}

/** Whoever holds the token of this start. */
export interface Principal {
  kind: 'holder' | 'anonymous';
}
