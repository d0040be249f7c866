// The context of an operation's handler: the manager's services.
import type { Services } from './services.ts';

export interface Ctx {
  services: Services;
  requestId: string;
}

/** A caller with or without the token of this start. */
export interface Principal {
  kind: 'holder' | 'anonymous';
}
