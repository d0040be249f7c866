// The interface of a part of a migration document: it exports the items of one kind and imports them.
import type { Ctx, PermissionMap } from '../../context.ts';
import type { Schemas } from '../../platform-contract/types.ts';
import type { EntityManager } from '../../database/connection.ts';
import type { Queries } from '../../database/reader.ts';
import type { DomainError } from '../../errors.ts';
import type { Limit } from '../../preconditions/limits.ts';
import type { Permission } from '../auth/role-permissions.ts';
import type { InstanceMap } from './instance-map.ts';

type Documented = Required<Schemas['MigrationParts']>;

export type PartName = keyof Documented;

/** An entry of a part, as the contract describes it. */
export type ItemOf<Name extends PartName> = Documented[Name]['items'][number];

/** An import in progress, in its transaction. */
export interface Importing {
  ctx: Ctx;
  em: EntityManager;
  queries: Queries;
  /** The permissions of the importing user. */
  held: PermissionMap;
  instances: InstanceMap;
  /** Keys of the items that earlier parts will create, by the names of those parts. */
  planned: ReadonlyMap<string, ReadonlySet<string>>;
}

export interface MigrationPart<Item extends object = object> {
  /** The version of the items' meaning. */
  readonly version: number;
  /** Parts that its items refer to; they are imported first. */
  readonly after?: readonly string[];
  /** Maximum items in a document. */
  readonly max: number;
  /** Items read per page; the default is some hundreds, and less suits large items. */
  readonly readAtOnce?: number;
  /** The permission required to change anything through this part. */
  readonly permission: Permission;
  /** Returns at most `count` items of the license, starting after `last`, in an order that depends on names alone. */
  page(queries: Queries, last: Item | undefined, count: number): Promise<Item[]>;
  /** The item as JSON text; canonical unless overridden. The checksum always covers the canonical text. */
  textOf?(item: Item): string;
  /** The item's human-readable name. */
  labelOf(item: Item): string;
  /** The item as the license would store it after the import, where that differs from the document. */
  normal?(item: Item): Item;
  /** The maximum items of this kind in the license. */
  limit?(importing: Importing): Limit;
  /** Loads what the license has of those items. */
  open(importing: Importing, items: readonly Item[]): Promise<PartTarget<Item>>;
}

/** The license that a part is imported into. */
export interface PartTarget<Item extends object> {
  /** Equal for two items that would be the same object in this license. */
  keyOf(item: Item): string;
  /** A human-readable reason why the item cannot be imported when something it refers to is missing; null otherwise. */
  reasonToSkip?(item: Item): string | null;
  /** The item as the license has it. */
  stored(item: Item): Item | undefined;
  /** Throws if the item may not be created, or the stored one may not be changed to it. */
  check(item: Item, stored: Item | undefined): void;
  /** Creates and updates the items; the caller flushes afterwards. */
  apply(items: readonly Pending<Item>[]): Promise<void>;
  /** Errors for constraint violations that concurrent changes can cause, by constraint name. */
  readonly refusals: Readonly<Record<string, () => DomainError>>;
}

/** An item to create, or one that updates a stored item. */
export interface Pending<Item extends object> {
  item: Item;
  isNew: boolean;
}

export type MigrationParts = Readonly<Record<string, MigrationPart>>;

/** The names of the parts, each after the parts that it refers to. */
export function importOrder(parts: MigrationParts): string[] {
  const order: string[] = [];
  const add = (name: string, within: readonly string[]): void => {
    if (order.includes(name)) return;
    const part = parts[name];
    if (part === undefined) throw new Error(`there is no part ${name} of a migration`);
    if (within.includes(name)) throw new Error(`parts refer to each other: ${[...within, name].join(', ')}`);
    for (const before of part.after ?? []) add(before, [...within, name]);
    order.push(name);
  };
  for (const name of Object.keys(parts).sort()) add(name, []);
  return order;
}
