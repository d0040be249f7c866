// When a store is open: enabled, with a ready provider and a subscription that allows it.
import { sql, type RawBuilder } from 'kysely';

/** Grace period after a confirmed subscription ends, or after a trial that the provider has not followed up. */
const trialGrace = '1 day';

/** True for licenses that may use the sandbox provider: all, if the installation allows it, otherwise sandboxes. */
const usesSandbox = (
  licenseId: RawBuilder<unknown>,
  allowsSandbox: boolean,
): RawBuilder<boolean> => sql<boolean>`(
  ${allowsSandbox}::boolean or exists (
    select from license as owner where owner.id = ${licenseId} and owner.is_sandbox))`;

/** True for rows of `subscription`, under that alias, that open the store of their license. */
export const opensStore = (alias: string, allowsSandbox: boolean): RawBuilder<boolean> => sql<boolean>`(
  ${sql.ref(`${alias}.kind`)} = 'webstore' and (${sql.ref(`${alias}.provider`)} is distinct from 'sandbox' or ${usesSandbox(sql.ref(`${alias}.license_id`), allowsSandbox)}) and ${sql.ref(`${alias}.confirmed_at`)} is not null and case ${sql.ref(`${alias}.status`)}
    when 'active' then true when 'past_due' then true
    when 'trialing' then coalesce(${sql.ref(`${alias}.ends_at`)} > license_now() - ${trialGrace}::interval, true)
    when 'cancelled' then coalesce(${sql.ref(`${alias}.ends_at`)} > license_now(), true)
    else false end)`;

/** True for rows of `store_config`, under the alias `config`, whose store is open. */
export const isOpen = (allowsSandbox: boolean): RawBuilder<boolean> => sql<boolean>`(
  config.is_enabled
  and case config.provider when 'sandbox' then ${usesSandbox(sql.ref('config.license_id'), allowsSandbox)} else exists (
    select from store_account as account
    where account.license_id = config.license_id and account.provider = config.provider and account.retired_at is null) end
  and exists (
    select from subscription where subscription.license_id = config.license_id and ${opensStore('subscription', allowsSandbox)}))`;
