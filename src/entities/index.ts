// Registers every table of the platform.
import type { InferKyselyDB } from '@mikro-orm/sql';
import type { Generated } from 'kysely';
import { AgentHostSchema } from './agent-host.ts';
import { AlertSchema } from './alert.ts';
import { AlertConfigSchema } from './alert-config.ts';
import { AlertRoundSchema } from './alert-round.ts';
import { ApiKeySchema } from './api-key.ts';
import { ApiKeyDeprecatedUseSchema } from './api-key-deprecated-use.ts';
import { ArchiveCompletionSchema, ArchivedMonthSchema, ArchivedPlayerSchema } from './archive.ts';
import { AuditEntrySchema } from './audit-entry.ts';
import { BackupPolicySchema } from './backup-policy.ts';
import { BusRevocationSchema } from './bus-revocation.ts';
import { ChangelogEntrySchema } from './changelog-entry.ts';
import { CommandSchema } from './command.ts';
import { ConsoleTicketSchema } from './console-ticket.ts';
import { EarlyAccessClaimSchema } from './early-access-claim.ts';
import { EarlyAccessSignupSchema } from './early-access-signup.ts';
import { EnrolmentCodeSchema } from './enrolment-code.ts';
import { EventLogEntrySchema, EventRelaySchema, EventSequenceSchema } from './event-log.ts';
import { FormerSubdomainSchema } from './former-subdomain.ts';
import { GameInstanceSchema } from './game-instance.ts';
import { GameMapSchema } from './game-map.ts';
import { IdempotencyRecordSchema } from './idempotency-record.ts';
import { InstanceBackupSchema } from './instance-backup.ts';
import { InstanceClusterSchema } from './instance-cluster.ts';
import { InstanceRunSchema } from './instance-run.ts';
import { InstanceStateIntervalSchema } from './instance-state-interval.ts';
import { InstanceStatsDueSchema } from './instance-stats-due.ts';
import { InstanceStatsPackedSchema } from './instance-stats-packed.ts';
import { InstanceStatsSchema } from './instance-stats.ts';
import {
  InstanceStats5mSchema,
  InstanceStatsDaySchema,
  InstanceStatsHourSchema,
} from './instance-stats-rollups.ts';
import { InvitationSchema } from './invitation.ts';
import { LicenseSchema } from './license.ts';
import { LicenseActivitySchema } from './license-activity.ts';
import { MapDeploymentSchema } from './map-deployment.ts';
import { MapDaySchema, MapMonthEndSchema, MapMonthSchema, MapSightingSchema } from './map-play.ts';
import { MembershipSchema } from './membership.ts';
import { ModuleSchema } from './module.ts';
import { ModuleInstallationSchema } from './module-installation.ts';
import { ModulePurchaseSchema } from './module-purchase.ts';
import { NotificationSchema } from './notification.ts';
import { NotificationChannelSchema } from './notification-channel.ts';
import { PasswordTokenSchema } from './password-token.ts';
import { PlayedMapSchema } from './played-map.ts';
import { PlayerSchema } from './player.ts';
import { PlayerActionSchema } from './player-action.ts';
import { PlayerDaySchema, PlayerDayCountSchema, PlayerReturnSchema } from './player-counts.ts';
import { PlayerEventSchema } from './player-event.ts';
import { PlayerNameSchema } from './player-name.ts';
import { PlayerSessionSchema } from './player-session.ts';
import { PlayerSessionDueSchema } from './player-session-due.ts';
import { PluginApplicationSchema } from './plugin-application.ts';
import { PluginConfigSchema } from './plugin-config.ts';
import { RecoveryCodeSchema } from './recovery-code.ts';
import { RefreshTokenSchema } from './refresh-token.ts';
import { ResellerSchema } from './reseller.ts';
import { ResellerBillLineSchema } from './reseller-bill-line.ts';
import { ResellerBillSchema } from './reseller-bill.ts';
import { ResellerLicenseSchema } from './reseller-license.ts';
import { ResellerRateSchema } from './reseller-rate.ts';
import { RoleSchema } from './role.ts';
import { ScheduleSchema } from './schedule.ts';
import { SandboxSchema } from './sandbox.ts';
import { ScheduleRunSchema } from './schedule-run.ts';
import { SentMailSchema } from './sent-mail.ts';
import { ServerConnectionSchema } from './server-connection.ts';
import { SessionChangeSchema } from './session-change.ts';
import { SessionDaySchema, SessionQuarterSchema } from './session-counts.ts';
import { SetupTokenSchema } from './setup-token.ts';
import { SignInChallengeSchema } from './sign-in-challenge.ts';
import { SimulatedHostSchema } from './simulated-host.ts';
import { SiteConfigSchema } from './site-config.ts';
import { SiteListingSchema } from './site-listing.ts';
import { StoreAccountSchema } from './store-account.ts';
import { StoreCategorySchema } from './store-category.ts';
import { StoreConfigSchema } from './store-config.ts';
import { StoreDeliverySchema } from './store-delivery.ts';
import { StoreItemSchema, StoreItemInstanceSchema, StoreItemRequirementSchema } from './store-item.ts';
import { StoreOrderSchema, StoreOrderLineSchema, StorePaymentEventSchema } from './store-order.ts';
import { StoredFileSchema } from './stored-file.ts';
import { SubscriptionSchema } from './subscription.ts';
import { SubscriptionEventSchema } from './subscription-event.ts';
import { TotpSchema } from './totp.ts';
import { UserAccountSchema } from './user-account.ts';
import { UserSessionSchema } from './user-session.ts';
import { WebhookSchema } from './webhook.ts';
import { WebhookDeliverySchema } from './webhook-delivery.ts';
import { WebhookReplaySchema } from './webhook-replay.ts';
import { WipeHistorySchema } from './wipe-history.ts';
import { WipePlayerSchema, WipeRetentionSchema } from './wipe-retention.ts';

export { AgentHost } from './agent-host.ts';
export { Alert } from './alert.ts';
export { AlertConfig } from './alert-config.ts';
export { ApiKey } from './api-key.ts';
export { ArchivedMonth } from './archive.ts';
export { AuditEntry } from './audit-entry.ts';
export { BackupPolicy } from './backup-policy.ts';
export { BusRevocation } from './bus-revocation.ts';
export { ChangelogEntry } from './changelog-entry.ts';
export { Command } from './command.ts';
export { ConsoleTicket } from './console-ticket.ts';
export { EnrolmentCode } from './enrolment-code.ts';
export { EarlyAccessClaim } from './early-access-claim.ts';
export { EarlyAccessSignup } from './early-access-signup.ts';
export { FormerSubdomain } from './former-subdomain.ts';
export { GameInstance } from './game-instance.ts';
export { GameMap } from './game-map.ts';
export { IdempotencyRecord } from './idempotency-record.ts';
export { InstanceBackup } from './instance-backup.ts';
export { InstanceCluster } from './instance-cluster.ts';
export { InstanceRun } from './instance-run.ts';
export { InstanceStateInterval } from './instance-state-interval.ts';
export { InstanceStats } from './instance-stats.ts';
export { InstanceStatsDue } from './instance-stats-due.ts';
export { InstanceStatsPacked } from './instance-stats-packed.ts';
export { InstanceStats5m, InstanceStatsDay, InstanceStatsHour } from './instance-stats-rollups.ts';
export { Invitation } from './invitation.ts';
export { License } from './license.ts';
export { LicenseActivity } from './license-activity.ts';
export { MapDeployment } from './map-deployment.ts';
export { MapDay, MapMonth, MapMonthEnd, MapSighting } from './map-play.ts';
export { Membership } from './membership.ts';
export { Module } from './module.ts';
export { ModuleInstallation } from './module-installation.ts';
export { ModulePurchase } from './module-purchase.ts';
export { Notification } from './notification.ts';
export { NotificationChannel } from './notification-channel.ts';
export { PasswordToken } from './password-token.ts';
export { PlayedMap } from './played-map.ts';
export { Player } from './player.ts';
export { PlayerAction } from './player-action.ts';
export { PlayerDay, PlayerDayCount, PlayerReturn } from './player-counts.ts';
export { PlayerEvent } from './player-event.ts';
export { PlayerName } from './player-name.ts';
export { PlayerSession } from './player-session.ts';
export { PlayerSessionDue } from './player-session-due.ts';
export { PluginApplication } from './plugin-application.ts';
export { PluginConfig } from './plugin-config.ts';
export { RecoveryCode } from './recovery-code.ts';
export { RefreshToken } from './refresh-token.ts';
export { Reseller } from './reseller.ts';
export { ResellerBillLine } from './reseller-bill-line.ts';
export { ResellerBill } from './reseller-bill.ts';
export { ResellerLicense } from './reseller-license.ts';
export { ResellerRate } from './reseller-rate.ts';
export { Role } from './role.ts';
export { Schedule } from './schedule.ts';
export { Sandbox } from './sandbox.ts';
export { ScheduleRun } from './schedule-run.ts';
export { SentMail } from './sent-mail.ts';
export { ServerConnection } from './server-connection.ts';
export { SessionChange } from './session-change.ts';
export { SessionDay, SessionQuarter } from './session-counts.ts';
export { SetupToken } from './setup-token.ts';
export { SignInChallenge } from './sign-in-challenge.ts';
export { SimulatedHost } from './simulated-host.ts';
export { SiteConfig } from './site-config.ts';
export { SiteListing } from './site-listing.ts';
export { StoreAccount } from './store-account.ts';
export { StoreCategory } from './store-category.ts';
export { StoreConfig } from './store-config.ts';
export { StoreDelivery } from './store-delivery.ts';
export { StoreItem, StoreItemInstance, StoreItemRequirement } from './store-item.ts';
export { StoreOrder, StoreOrderLine, StorePaymentEvent } from './store-order.ts';
export { StoredFile } from './stored-file.ts';
export { Subscription } from './subscription.ts';
export { SubscriptionEvent } from './subscription-event.ts';
export { Totp } from './totp.ts';
export { UserAccount } from './user-account.ts';
export { UserSession } from './user-session.ts';
export { Webhook } from './webhook.ts';
export { WebhookDelivery } from './webhook-delivery.ts';
export { WebhookReplay } from './webhook-replay.ts';
export { WipeHistory } from './wipe-history.ts';
export { WipePlayer, WipeRetention } from './wipe-retention.ts';

export const entities = [
  AgentHostSchema,
  AlertConfigSchema,
  AlertRoundSchema,
  AlertSchema,
  ApiKeySchema,
  ApiKeyDeprecatedUseSchema,
  ArchiveCompletionSchema,
  ArchivedMonthSchema,
  ArchivedPlayerSchema,
  AuditEntrySchema,
  BackupPolicySchema,
  BusRevocationSchema,
  ChangelogEntrySchema,
  CommandSchema,
  ConsoleTicketSchema,
  EnrolmentCodeSchema,
  EventLogEntrySchema,
  EventRelaySchema,
  EventSequenceSchema,
  EarlyAccessClaimSchema,
  EarlyAccessSignupSchema,
  FormerSubdomainSchema,
  GameInstanceSchema,
  GameMapSchema,
  IdempotencyRecordSchema,
  InstanceBackupSchema,
  InstanceClusterSchema,
  InstanceRunSchema,
  InstanceStateIntervalSchema,
  InstanceStats5mSchema,
  InstanceStatsDaySchema,
  InstanceStatsDueSchema,
  InstanceStatsHourSchema,
  InstanceStatsPackedSchema,
  InstanceStatsSchema,
  InvitationSchema,
  LicenseActivitySchema,
  LicenseSchema,
  MapDaySchema,
  MapDeploymentSchema,
  MapMonthSchema,
  MapMonthEndSchema,
  MapSightingSchema,
  MembershipSchema,
  ModuleInstallationSchema,
  ModulePurchaseSchema,
  ModuleSchema,
  NotificationChannelSchema,
  NotificationSchema,
  PasswordTokenSchema,
  PlayedMapSchema,
  PlayerActionSchema,
  PlayerDayCountSchema,
  PlayerDaySchema,
  PlayerEventSchema,
  PlayerNameSchema,
  PlayerReturnSchema,
  PlayerSchema,
  PlayerSessionDueSchema,
  PlayerSessionSchema,
  PluginApplicationSchema,
  PluginConfigSchema,
  RecoveryCodeSchema,
  RefreshTokenSchema,
  ResellerBillLineSchema,
  ResellerBillSchema,
  ResellerLicenseSchema,
  ResellerRateSchema,
  ResellerSchema,
  RoleSchema,
  SandboxSchema,
  ScheduleRunSchema,
  ScheduleSchema,
  SentMailSchema,
  ServerConnectionSchema,
  SessionChangeSchema,
  SessionDaySchema,
  SessionQuarterSchema,
  SetupTokenSchema,
  SignInChallengeSchema,
  SimulatedHostSchema,
  SiteConfigSchema,
  SiteListingSchema,
  StoreAccountSchema,
  StoreCategorySchema,
  StoreConfigSchema,
  StoreDeliverySchema,
  StoreItemSchema,
  StoreItemInstanceSchema,
  StoreItemRequirementSchema,
  StoreOrderSchema,
  StoreOrderLineSchema,
  StorePaymentEventSchema,
  StoredFileSchema,
  SubscriptionSchema,
  SubscriptionEventSchema,
  TotpSchema,
  UserAccountSchema,
  UserSessionSchema,
  WebhookSchema,
  WebhookDeliverySchema,
  WebhookReplaySchema,
  WipeHistorySchema,
  WipePlayerSchema,
  WipeRetentionSchema,
] as const;

type Columns = InferKyselyDB<(typeof entities)[number]>;

/** A column's type in typed queries: times are text, see the database connection. */
type Column<T> = T extends Generated<infer Value> ? Generated<TimeAsText<Value>> : TimeAsText<T>;
type TimeAsText<T> = T extends Date ? string : T;

/** Every table with its columns, for typed queries. */
export type Tables = {
  [Table in keyof Columns]: { [Name in keyof Columns[Table]]: Column<Columns[Table][Name]> };
};
