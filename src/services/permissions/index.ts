// What there is to allow, and why somebody may call an operation or not.
import { resolve } from 'node:path';
import type { Ctx } from '../../context.ts';
import { operationsOf, readDocument, type Operation } from '../../contract/document.ts';
import { notFound } from '../../errors.ts';
import { decide, type Decision } from '../auth/authorization.ts';
import type { Permission } from './permission-map.ts';

export interface PermissionEntry {
  permission: Permission;
  description: string;
}

interface PermissionSchema {
  enum: Permission[];
  /** In the order of the enum. */
  'x-enum-descriptions': string[];
}

/** Schemes whose credentials a signed-in user has. */
const schemesOfUsers = ['bearerAuth', 'superAdmin'];

export class PermissionCatalog {
  readonly #entries: PermissionEntry[];
  readonly #operations: ReadonlyMap<string, Operation>;

  constructor() {
    const document = readDocument(resolve(import.meta.dirname, '../../generated/platform.openapi.json'));
    const { Permission: schema } = document.components['schemas'] as { Permission: PermissionSchema };
    this.#entries = schema.enum.map((permission, index) => {
      const description = schema['x-enum-descriptions'][index];
      if (description === undefined) throw new Error(`the contract does not say what ${permission} allows`);
      return { permission, description };
    });
    this.#operations = new Map(operationsOf(document).map((operation) => [operation.id, operation]));
  }

  async list(): Promise<PermissionEntry[]> {
    return this.#entries;
  }

  /** What the caller would be told at the operation's door. */
  async explain({ principal }: Ctx, id: string): Promise<Decision & { operation: string }> {
    const operation = this.#operations.get(id);
    if (operation === undefined) throw notFound('operation');
    if (operation.security.length === 0)
      return { operation: id, isAllowed: true, reason: 'public', permissions: [] };
    const decisions = operation.security
      .flatMap((requirement) => Object.entries(requirement))
      .filter(([scheme]) => schemesOfUsers.includes(scheme))
      .map(([scheme, permissions]) => decide(principal, scheme, permissions, operation));
    const decision = decisions.find(({ isAllowed }) => isAllowed) ??
      decisions[0] ?? { isAllowed: false, reason: 'not_for_users' as const, permissions: [] };
    return { operation: id, ...decision };
  }
}
