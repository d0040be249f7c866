// Short names for the types that the contract of the message bus generates.
import type { components } from '../../generated/agent-bus.d.ts';

export type BusSchemas = components['schemas'];
export type CommandVerb = BusSchemas['CommandVerb'];
