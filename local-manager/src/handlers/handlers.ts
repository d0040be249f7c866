// What the handlers of the manager share: their type, derived from the contract, and what they get.
import type { operations } from '../../../generated/local-manager.d.ts';
import type { Handlers as HandlersOf } from '../../../src/contract/operation.ts';
import type { Services } from '../services.ts';

export type Handlers = HandlersOf<operations, Ctx>;

export interface Ctx {
  services: Services;
  requestId: string;
}

/** A caller with or without the token of this start. */
export interface Principal {
  kind: 'holder' | 'anonymous';
}
