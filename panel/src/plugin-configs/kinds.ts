// The kinds of plugin configurations: their plugins, their pictures, and who may change which.
import {
  BriefcaseBusiness,
  Castle,
  CookingPot,
  DoorOpen,
  MessagesSquare,
  Package,
  Pickaxe,
  Timer,
  Waypoints,
  type LucideIcon,
} from 'lucide-react';
import { kinds as ofContract } from 'virtual:plugin-kinds';
import type { PluginKindName } from '../../../generated/plugin-kinds.ts';
import { hasPermission, mayCall } from '../api/may.ts';
import { useMe } from '../api/me.ts';
import type { Operation } from '../api/operations.ts';

export type KindName = PluginKindName;

export interface ListedKind {
  name: KindName;
  /** Permissions beside those of the operations. */
  needs: readonly string[];
  /** `isList`: the file is a JSON list at its root. */
  files: readonly { file: string; plugin: string; isList: boolean }[];
  /** Versions or editions of the plugin that have different settings, the usual one first. */
  generations: readonly string[];
}

export const kinds = ofContract as readonly ListedKind[];

/** In the order of the list: what servers are asked about most stands first. */
const icons: Record<KindName, LucideIcon> = {
  loot: Package,
  kits: BriefcaseBusiness,
  gather: Pickaxe,
  teleport: Waypoints,
  chat: MessagesSquare,
  'timed-commands': Timer,
  'raidable-bases': Castle,
  'furnace-splitting': CookingPot,
  'automatic-doors': DoorOpen,
};

export const kindNames = Object.keys(icons) as KindName[];

export const iconOf = (kind: KindName): LucideIcon => icons[kind];

export const isKind = (name: string): name is KindName => Object.hasOwn(icons, name);

export function kindOf(name: KindName): ListedKind {
  const kind = kinds.find((each) => each.name === name);
  if (kind === undefined) throw new Error(`the contract has no kind ${name}`);
  return kind;
}

/** Names of the plugins that read the kind's files. */
export const pluginsOf = (name: KindName): string[] => [
  ...new Set(kindOf(name).files.map(({ plugin }) => plugin)),
];

/** Whether the user may call an operation for configurations of a kind, some of which need more permissions. */
export function useMayFor(operation: Operation): (kind: KindName) => boolean {
  const me = useMe();
  const may = mayCall(me, operation);
  return (kind) => may && kindOf(kind).needs.every((name) => hasPermission(me.permissions, name));
}
