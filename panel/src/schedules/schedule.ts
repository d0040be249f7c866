// What a schedule is, and which permissions its action needs.
import {
  CalendarClock,
  Megaphone,
  Play,
  Plug,
  RotateCw,
  Square,
  Terminal,
  DatabaseBackup,
  Eraser,
} from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { hasPermission } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';

export type Schedule = Schemas['Schedule'];
export type Action = Schemas['ScheduleAction'];
export type ActionKind = Action['kind'];

interface KindFacts {
  icon: LucideIcon;
  /** As the contract's description of the action says. */
  permission: string;
}

const kinds: Record<ActionKind, KindFacts> = {
  restart: { icon: RotateCw, permission: 'instances.power' },
  wipe: { icon: Eraser, permission: 'wipes.trigger' },
  backup: { icon: DatabaseBackup, permission: 'backups.manage' },
  announcement: { icon: Megaphone, permission: 'console.input' },
  command: { icon: Terminal, permission: 'console.input' },
  plugin_reload: { icon: Plug, permission: 'plugins.manage' },
  start: { icon: Play, permission: 'instances.power' },
  stop: { icon: Square, permission: 'instances.power' },
};

export const actionKinds = Object.keys(kinds) as ActionKind[];

/** Kinds that a newer platform may have get a general sign. */
export const iconOf = (kind: ActionKind): LucideIcon =>
  (kinds as Partial<Record<string, KindFacts>>)[kind]?.icon ?? CalendarClock;

export function mayRun(permissions: Schemas['CurrentUser']['permissions'], action: ActionKind): boolean {
  const needed = (kinds as Partial<Record<string, KindFacts>>)[action]?.permission;
  return needed === undefined || hasPermission(permissions, needed);
}

/** A countdown before a restart or a stop needs its own permission. */
export const mayAnnounce = (permissions: Schemas['CurrentUser']['permissions']): boolean =>
  hasPermission(permissions, 'console.input');
