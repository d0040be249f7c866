// Single-use tickets that open a console socket. They are signed, so forged ones are refused without a database query.
import { sql } from 'kysely';
import { growingCache } from '../../process/growing-cache.ts';
import type { Ctx, SessionPrincipal } from '../../context.ts';
import { refusing } from '../../database/faults.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import { ConsoleTicket } from '../../entities/index.ts';
import { isRefusal, notFound, unauthorized } from '../../errors.ts';
import type { Principals } from '../auth/principals.ts';
import { grants } from '../auth/role-permissions.ts';
import { createSecret, hashSecret } from '../../secrets/random-secrets.ts';
import { Signer } from '../../secrets/signed-values.ts';

const lifetimeMs = 30_000;
/** Tolerance for the clocks of replicas; the database makes the final decision on expiry. */
const leewayMs = 30_000;
const form = /^(?<secret>[\w-]{43})\.(?<expiry>[0-9a-z]{8})\.(?<signature>[\w-]{43})$/;

export interface IssuedTicket {
  ticket: string;
  instanceId: string;
  expiresAt: Date;
  canInput: boolean;
}

/** What a redeemed ticket grants. */
export interface ConsoleSeat {
  user: SessionPrincipal;
  licenseId: string;
  instanceId: string;
  hostId: string;
  instanceName: string;
}

/** Takes a place for a socket of the user. Throws `rate_limited` if they have no more. */
export type ReservePlace = (userId: string) => void;

interface LookUp {
  /** Undefined until the holder is known. */
  userId: string | undefined;
  canRetry: boolean;
}

export class ConsoleTickets {
  readonly #platform: PlatformScope;
  readonly #principals: Principals;
  readonly #signer: Signer;
  /** Hashes of tickets that this process has looked up, kept for as long as they could be presented again. */
  readonly #lookedUp = growingCache<LookUp>({ maxEntries: 100_000, ttl: lifetimeMs + 2 * leewayMs });

  constructor(platform: PlatformScope, principals: Principals, secret: string) {
    this.#platform = platform;
    this.#principals = principals;
    this.#signer = new Signer(secret, 'gantry console ticket');
  }

  async create(ctx: Ctx, instanceId: string): Promise<IssuedTicket> {
    const expiresAt = new Date(Date.now() + lifetimeMs);
    const ticket = this.#mint(instanceId, expiresAt);
    await ctx.transact(async (em) => {
      em.create(ConsoleTicket, {
        tokenHash: hashSecret(ticket),
        instanceId,
        sessionId: ctx.user.sessionId,
        expiresAt,
      });
      await refusing({ console_ticket_license_id_instance_id_fkey: () => notFound('instance') }, () =>
        em.flush(),
      );
    });
    return { ticket, instanceId, expiresAt, canInput: canInput(ctx.user) };
  }

  /** Whether the ticket was signed for that instance and is unexpired. Without a database query: it may be used up. */
  isGenuine(ticket: string, instanceId: string): boolean {
    const { secret, expiry, signature } = form.exec(ticket)?.groups ?? {};
    if (secret === undefined || expiry === undefined || signature === undefined) return false;
    return (
      this.#signer.isSigned([secret, expiry, instanceId], signature) &&
      Number.parseInt(expiry, 36) > Date.now() - leewayMs
    );
  }

  /**
   * Consumes the ticket. Throws unless it is valid, its holder may still watch the instance, and `reserve` has a place for
   * them.
   */
  async redeem(ticket: string, instanceId: string, reserve: ReservePlace): Promise<ConsoleSeat> {
    const hash = hashSecret(ticket);
    const former = this.#lookedUp.get(hash);
    if (!this.isGenuine(ticket, instanceId) || former?.canRetry === false) throw unauthorized();
    // A known holder without a place is refused without a database query.
    if (former?.userId !== undefined) reserve(former.userId);
    const lookUp: LookUp = { userId: former?.userId, canRetry: false };
    this.#lookedUp.set(hash, lookUp);
    try {
      const seat = await this.#seatOf(hash, instanceId);
      if (lookUp.userId === undefined) {
        lookUp.userId = seat.user.userId;
        reserve(lookUp.userId);
      }
      await this.#useUp(hash);
      return seat;
    } catch (error) {
      // The ticket is consumed last: after a lack of places or a failure of the database, the client may retry.
      lookUp.canRetry = !isRefusal(error) || error.code !== 'unauthorized';
      throw error;
    }
  }

  /** Returns which of these instances still exist. */
  async existing(instanceIds: string[]): Promise<Set<string>> {
    const rows = await this.#platform.read('sign-in', (queries) =>
      queries.selectFrom('game_instance').select('id').where('id', 'in', instanceIds).execute(),
    );
    return new Set(rows.map(({ id }) => id));
  }

  #mint(instanceId: string, expiresAt: Date): string {
    const [secret, expiry] = [createSecret(''), expiresAt.getTime().toString(36)];
    return `${secret}.${expiry}.${this.#signer.sign([secret, expiry, instanceId])}`;
  }

  async #seatOf(tokenHash: string, instanceId: string): Promise<ConsoleSeat> {
    const found = await this.#platform.read('sign-in', (queries) =>
      queries
        .selectFrom('console_ticket as ticket')
        .innerJoin('user_session as session', 'session.id', 'ticket.session_id')
        .innerJoin('game_instance as instance', 'instance.id', 'ticket.instance_id')
        .select([
          'session.user_id',
          'ticket.session_id',
          'ticket.license_id',
          'instance.host_id',
          'instance.name',
        ])
        .where('ticket.token_hash', '=', tokenHash)
        .where('ticket.instance_id', '=', instanceId)
        .where('ticket.expires_at', '>', sql<string>`now()`)
        .executeTakeFirst(),
    );
    if (found === undefined) throw unauthorized();
    const claims = { sub: found.user_id, sid: found.session_id, license_id: found.license_id };
    const user = await this.#principals.find(claims);
    if (!canWatch(user)) throw unauthorized();
    return { user, licenseId: found.license_id, instanceId, hostId: found.host_id, instanceName: found.name };
  }

  /** Throws if the ticket was used meanwhile, at another replica. */
  async #useUp(tokenHash: string): Promise<void> {
    const used = await this.#platform.transact('sign-in', async (em) => {
      const [row] = await em.execute<object[]>(
        'delete from console_ticket where token_hash = ? and expires_at > now() returning token_hash',
        [tokenHash],
      );
      return row;
    });
    if (used === undefined) throw unauthorized();
  }
}

export function canWatch({ license }: SessionPrincipal): boolean {
  return license !== null && !license.isRevoked && grants(license.permissions, 'console.view');
}

export function canInput(user: SessionPrincipal): boolean {
  return canWatch(user) && user.license !== null && grants(user.license.permissions, 'console.input');
}
