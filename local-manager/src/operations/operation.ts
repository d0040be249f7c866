// Operations and their output lines, as in the contract.
import type { components } from '../../../generated/local-manager.d.ts';

export type Operation = components['schemas']['Operation'];
export type OperationLine = components['schemas']['OperationLine'];
