// Readers for the messages of the bus, by its contract.
import contract from '../../generated/agent-bus.asyncapi.json' with { type: 'json' };
import { Messages } from '../contract/messages.ts';
import type { BusSchemas } from '../platform-contract/bus-types.ts';

export { BadMessage, type Reader } from '../contract/messages.ts';

export const createBusMessages = () => new Messages<BusSchemas>(contract);
