// The permissions in the contract, and what each of its operations requires.
import type { Schemas } from './types.ts';
import { operationsOf, type Document, type Operation } from '../contract/document.ts';

export interface PermissionEntry {
  permission: Schemas['Permission'];
  description: string;
}

/** The fields of an operation that decide who may call it. */
export type GuardedOperation = Pick<Operation, 'id' | 'security' | 'allowsRevoked' | 'variants'>;

export interface PermissionsOfContract {
  permissions: readonly PermissionEntry[];
  operations: ReadonlyMap<string, GuardedOperation>;
}

interface PermissionSchema {
  enum: Schemas['Permission'][];
  /** In the order of the enum. */
  'x-enum-descriptions': string[];
}

export function permissionsIn(document: Document): PermissionsOfContract {
  const { Permission: schema } = document.components['schemas'] as { Permission: PermissionSchema };
  const permissions = schema.enum.map((permission, index) => {
    const description = schema['x-enum-descriptions'][index];
    if (description === undefined)
      throw new Error(`the contract does not describe the permission ${permission}`);
    return { permission, description };
  });
  return {
    permissions,
    operations: new Map(operationsOf(document).map((operation) => [operation.id, operation])),
  };
}
