// The messages of the bus, as its contract has them.
import type { components } from '../../generated/agent-bus.d.ts';
import contract from '../../generated/agent-bus.asyncapi.json' with { type: 'json' };
import { Messages } from '../contract/messages.ts';

export { BadMessage, type Reader } from '../contract/messages.ts';

export type BusSchemas = components['schemas'];

export const createBusMessages = () => new Messages<BusSchemas>(contract);
