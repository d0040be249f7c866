// What a part of a migration document is: it says what a license has of a kind, and brings another one to that.
import type { Ctx, PermissionMap } from '../../context.ts';
import type { Schemas } from '../../platform-contract/types.ts';
import type { EntityManager } from '../../database/connection.ts';
import type { Queries } from '../../database/reader.ts';
import type { DomainError } from '../../errors.ts';
import type { Limit } from '../../preconditions/limits.ts';
import type { Permission } from '../permissions/permission-map.ts';
import type { InstanceMap } from './instance-map.ts';

type Documented = Required<Schemas['MigrationParts']>;

export type PartName = keyof Documented;

/** An entry of a part, as the contract describes it. */
export type ItemOf<Name extends PartName> = Documented[Name]['items'][number];

/** An import that is under way, in its transaction. */
export interface Importing {
  ctx: Ctx;
  em: EntityManager;
  queries: Queries;
  /** What whoever imports may do. */
  held: PermissionMap;
  instances: InstanceMap;
  /** Keys of what the parts before this one are about to create, by the names of the parts. */
  planned: ReadonlyMap<string, ReadonlySet<string>>;
}

export interface MigrationPart<Item extends object = object> {
  /** Of what its items mean. */
  readonly version: number;
  /** Parts that its items refer to: they are imported before it. */
  readonly after?: readonly string[];
  /** Most items of a document. */
  readonly most: number;
  /** Items that are read at once; some hundreds unless they are big. */
  readonly readAtOnce?: number;
  /** What somebody needs to change anything by it. */
  readonly permission: Permission;
  /** Items that the license has, `count` at most, from the one after `last` on: in an order that names alone decide. */
  page(queries: Queries, last: Item | undefined, count: number): Promise<Item[]>;
  /** The item as JSON text; canonical unless it says otherwise. The checksum is always that of the canonical text. */
  textOf?(item: Item): string;
  /** The item's name, for people. */
  labelOf(item: Item): string;
  /** The item as the license would have it once it was imported, unless that is how it stands. */
  normal?(item: Item): Item;
  /** How many there may be in the license. */
  limit?(importing: Importing): Limit;
  /** Looks up what the license has of those items. */
  open(importing: Importing, items: readonly Item[]): Promise<PartTarget<Item>>;
}

/** The license that a part is imported into. */
export interface PartTarget<Item extends object> {
  /** The same for two items that would be the same thing in this license. */
  keyOf(item: Item): string;
  /** Why the item can't be had here, in words, if what it refers to isn't there. */
  reasonToSkip?(item: Item): string | null;
  /** The item as the license has it. */
  stored(item: Item): Item | undefined;
  /** Throws unless this one may be created, or made of what is stored. */
  check(item: Item, stored: Item | undefined): void;
  /** Creates and changes; it is flushed afterwards. */
  apply(items: readonly Pending<Item>[]): Promise<void>;
  /** What somebody may do meanwhile that a constraint refuses, by its name. */
  readonly refusals: Readonly<Record<string, () => DomainError>>;
}

/** An item that is to be created, or that updates what is stored. */
export interface Pending<Item extends object> {
  item: Item;
  isNew: boolean;
}

export type MigrationParts = Readonly<Record<string, MigrationPart>>;

/** The names of the parts, each after those that it refers to. */
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
