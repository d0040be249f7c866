// One-time tickets that open a console socket.
import type { Ctx, SessionPrincipal } from '../../context.ts';
import { refusing } from '../../database/faults.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import { ConsoleTicket } from '../../entities/index.ts';
import { notFound, unauthorized } from '../../errors.ts';
import type { Principals } from '../auth/principals.ts';
import { grants } from '../permissions.ts';
import { createSecret, hashSecret } from '../secrets.ts';

const lifetimeMs = 30_000;

export interface IssuedTicket {
  ticket: string;
  instanceId: string;
  expiresAt: Date;
  mayInput: boolean;
}

/** What a redeemed ticket opens. */
export interface ConsoleSeat {
  user: SessionPrincipal;
  licenseId: string;
  instanceId: string;
  hostId: string;
  instanceName: string;
}

export class ConsoleTickets {
  readonly #platform: PlatformScope;
  readonly #principals: Principals;

  constructor(platform: PlatformScope, principals: Principals) {
    this.#platform = platform;
    this.#principals = principals;
  }

  async create(ctx: Ctx, instanceId: string): Promise<IssuedTicket> {
    const ticket = createSecret('');
    const expiresAt = new Date(Date.now() + lifetimeMs);
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
    return { ticket, instanceId, expiresAt, mayInput: mayInput(ctx.user) };
  }

  /** Uses the ticket up. Throws unless its holder may still watch that instance. */
  async redeem(ticket: string, instanceId: string): Promise<ConsoleSeat> {
    const found = await this.#platform.transact('sign-in', async (em) => {
      const [row] = await em.execute<
        { user_id: string; session_id: string; license_id: string; host_id: string; name: string }[]
      >(
        `with used as (delete from console_ticket where token_hash = ? and instance_id = ? and expires_at > now() returning *)
         select session.user_id, used.session_id, used.license_id, instance.host_id, instance.name
         from used
         join user_session as session on session.id = used.session_id
         join game_instance as instance on instance.id = used.instance_id`,
        [hashSecret(ticket), instanceId],
      );
      return row;
    });
    if (found === undefined) throw unauthorized();
    const claims = { sub: found.user_id, sid: found.session_id, license_id: found.license_id };
    const user = await this.#principals.find(claims);
    if (!mayWatch(user)) throw unauthorized();
    return { user, licenseId: found.license_id, instanceId, hostId: found.host_id, instanceName: found.name };
  }

  /** Which of these instances there still are. */
  async existing(instanceIds: string[]): Promise<Set<string>> {
    const rows = await this.#platform.read('sign-in', (queries) =>
      queries.selectFrom('game_instance').select('id').where('id', 'in', instanceIds).execute(),
    );
    return new Set(rows.map(({ id }) => id));
  }
}

export function mayWatch({ license }: SessionPrincipal): boolean {
  return license !== null && !license.isRevoked && grants(license.permissions, 'console.view');
}

export function mayInput(user: SessionPrincipal): boolean {
  return mayWatch(user) && user.license !== null && grants(user.license.permissions, 'console.input');
}
