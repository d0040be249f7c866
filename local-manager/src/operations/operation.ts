// Operations and their printed lines, as the contract has them.
import type { components } from '../../../generated/local-manager.d.ts';

export type Operation = components['schemas']['Operation'];
export type OperationLine = components['schemas']['OperationLine'];
