// The targets of channels: validation, encryption at rest, and the part that is not secret.
import type { Ctx } from '../../context.ts';
import type { Schemas } from '../../platform-contract/types.ts';
import type { Queries } from '../../database/reader.ts';
import { invalidField } from '../../errors.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import { OutboundError } from '../../outbound/outbound-error.ts';
import { purposes, SecretCipher } from '../../secrets/encryption.ts';
import { accounts } from '../team/index.ts';

export type Target = Schemas['NotificationTarget'];

export class Targets {
  readonly #cipher: SecretCipher;
  readonly #outbound: Pick<Outbound, 'check'>;

  constructor(encryptionSecret: string, outbound: Pick<Outbound, 'check'>) {
    this.#cipher = new SecretCipher(encryptionSecret, purposes.notificationChannel);
    this.#outbound = outbound;
  }

  close(target: Target, channelId: string): Buffer {
    return this.#cipher.encrypt(JSON.stringify(target), channelId);
  }

  /** Undefined if the target was encrypted with another key than this platform's. */
  open(encrypted: Uint8Array, channelId: string): Target | undefined {
    try {
      return JSON.parse(this.#cipher.decrypt(encrypted, channelId)) as Target;
    } catch {
      return undefined;
    }
  }

  /** Throws if the target is not allowed, as far as that can be checked without sending. */
  async refuse(queries: Queries, target: Target): Promise<void> {
    if (target.kind === 'chat_webhook') this.#refuseUrl(target.url, '/target/url');
    if (target.kind === 'ntfy') this.#refuseUrl(target.server, '/target/server');
    if (target.kind === 'email' && !(await isOfTeam(queries, target.address)))
      throw invalidField({
        in: 'body',
        pointer: '/target/address',
        detail: 'is not the address of a team member',
      });
  }

  #refuseUrl(url: string, pointer: string): void {
    try {
      this.#outbound.check(url);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      throw invalidField({ in: 'body', pointer, detail: error.message });
    }
  }
}

/** The part of the target that every member who may see the channel sees. */
export function destinationOf(target: Target): string {
  switch (target.kind) {
    case 'chat_webhook':
      return new URL(target.url).host;
    case 'email':
      return target.address;
    case 'ntfy':
      return new URL(target.server).host;
    case 'pushover':
      return 'pushover.net';
  }
}

/** Whether the address is a team member's: only members receive messages of a license. */
export async function isOfTeam(queries: Queries, address: string): Promise<boolean> {
  const member = await queries
    .selectFrom('membership')
    .innerJoin(accounts, 'account.user_id', 'membership.user_id')
    .select('membership.id')
    .where((eb) => eb(eb.fn<string>('lower', ['account.email']), '=', address.toLowerCase()))
    .where('account.is_disabled', '=', false)
    .executeTakeFirst();
  return member !== undefined;
}

export const isStillOfTeam = (ctx: Ctx, address: string) => ctx.read((queries) => isOfTeam(queries, address));
