// Short names for the types that are generated from the contract of the message bus.
import type { components } from '../../generated/agent-bus.d.ts';
import type { FileVerb as AnyFileVerb, requests, RequestVerb } from '../../generated/agent-bus.protocol.ts';

export type { CommandVerb, RequestVerb, UpKind } from '../../generated/agent-bus.protocol.ts';

export type BusSchemas = components['schemas'];

/** The message of a verb, and its reply. */
export type RequestOf<Verb extends RequestVerb> = BusSchemas[(typeof requests)[Verb]['message']];
export type ReplyOf<Verb extends RequestVerb> = BusSchemas[(typeof requests)[Verb]['reply']];

/** Verbs of requests about files in one message of JSON. */
export type FileVerb = Exclude<AnyFileVerb, 'file-chunk'>;
