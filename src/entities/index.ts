// Every table of the platform.
import type { InferKyselyDB } from '@mikro-orm/sql';
import { AgentHost, AgentHostSchema } from './agent-host.ts';
import { BusRevocation, BusRevocationSchema } from './bus-revocation.ts';
import { Command, CommandSchema } from './command.ts';
import { ConsoleTicket, ConsoleTicketSchema } from './console-ticket.ts';
import { GameInstance, GameInstanceSchema } from './game-instance.ts';
import { IdempotencyRecord, IdempotencyRecordSchema } from './idempotency-record.ts';
import { InstanceCluster, InstanceClusterSchema } from './instance-cluster.ts';
import { InstanceStats, InstanceStatsSchema } from './instance-stats.ts';
import { License, LicenseSchema } from './license.ts';
import { Membership, MembershipSchema } from './membership.ts';
import { RefreshToken, RefreshTokenSchema } from './refresh-token.ts';
import { Role, RoleSchema } from './role.ts';
import { ServerConnection, ServerConnectionSchema } from './server-connection.ts';
import { SetupToken, SetupTokenSchema } from './setup-token.ts';
import { UserAccount, UserAccountSchema } from './user-account.ts';
import { UserSession, UserSessionSchema } from './user-session.ts';

const schemas = [
  AgentHostSchema,
  BusRevocationSchema,
  CommandSchema,
  ConsoleTicketSchema,
  GameInstanceSchema,
  IdempotencyRecordSchema,
  InstanceClusterSchema,
  InstanceStatsSchema,
  LicenseSchema,
  MembershipSchema,
  RefreshTokenSchema,
  RoleSchema,
  ServerConnectionSchema,
  SetupTokenSchema,
  UserAccountSchema,
  UserSessionSchema,
] as const;

/** Every table with its columns, for typed queries. */
export type Tables = InferKyselyDB<(typeof schemas)[number]>;

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
