// Every table of the platform.
import type { InferKyselyDB } from '@mikro-orm/sql';
import type { Generated } from 'kysely';
import { AgentHost, type AgentHostSchema } from './agent-host.ts';
import { BusRevocation, type BusRevocationSchema } from './bus-revocation.ts';
import { Command, type CommandSchema } from './command.ts';
import { ConsoleTicket, type ConsoleTicketSchema } from './console-ticket.ts';
import { GameInstance, type GameInstanceSchema } from './game-instance.ts';
import { IdempotencyRecord, type IdempotencyRecordSchema } from './idempotency-record.ts';
import { InstanceCluster, type InstanceClusterSchema } from './instance-cluster.ts';
import { InstanceStats, type InstanceStatsSchema } from './instance-stats.ts';
import { License, type LicenseSchema } from './license.ts';
import { Membership, type MembershipSchema } from './membership.ts';
import { RefreshToken, type RefreshTokenSchema } from './refresh-token.ts';
import { Role, type RoleSchema } from './role.ts';
import { ServerConnection, type ServerConnectionSchema } from './server-connection.ts';
import { SetupToken, type SetupTokenSchema } from './setup-token.ts';
import { UserAccount, type UserAccountSchema } from './user-account.ts';
import { UserSession, type UserSessionSchema } from './user-session.ts';

type Schema =
  | typeof AgentHostSchema
  | typeof BusRevocationSchema
  | typeof CommandSchema
  | typeof ConsoleTicketSchema
  | typeof GameInstanceSchema
  | typeof IdempotencyRecordSchema
  | typeof InstanceClusterSchema
  | typeof InstanceStatsSchema
  | typeof LicenseSchema
  | typeof MembershipSchema
  | typeof RefreshTokenSchema
  | typeof RoleSchema
  | typeof ServerConnectionSchema
  | typeof SetupTokenSchema
  | typeof UserAccountSchema
  | typeof UserSessionSchema;

type Columns = InferKyselyDB<Schema>;

/** A column as typed queries give it: times are text, see the database connection. */
type Column<T> = T extends Generated<infer Value> ? Generated<TimeAsText<Value>> : TimeAsText<T>;
type TimeAsText<T> = T extends Date ? string : T;

/** Every table with its columns, for typed queries. */
export type Tables = {
  [Table in keyof Columns]: { [Name in keyof Columns[Table]]: Column<Columns[Table][Name]> };
};

export const entities = [
  AgentHost,
  BusRevocation,
  Command,
  ConsoleTicket,
  GameInstance,
  IdempotencyRecord,
  InstanceCluster,
  InstanceStats,
  License,
  Membership,
  RefreshToken,
  Role,
  ServerConnection,
  SetupToken,
  UserAccount,
  UserSession,
];

export {
  AgentHost,
  BusRevocation,
  Command,
  ConsoleTicket,
  GameInstance,
  IdempotencyRecord,
  InstanceCluster,
  InstanceStats,
  License,
  Membership,
  RefreshToken,
  Role,
  ServerConnection,
  SetupToken,
  UserAccount,
  UserSession,
};
