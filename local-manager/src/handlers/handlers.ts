// The type that every file of handlers satisfies, derived from the manager's contract.
import type { operations } from '../../../generated/local-manager.d.ts';
import type { Handlers as HandlersOf } from '../../../src/contract/operation.ts';
import type { Ctx } from '../context.ts';

export type Handlers = HandlersOf<operations, Ctx>;
