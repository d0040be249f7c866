// One-time codes that enroll hosts: created for a license, and traded by an agent for a credential of its host.
import { LockMode } from '@mikro-orm/core';
import type { AgentRelease } from '../../agent-release/agent-release.ts';
import { installCommands, type InstallCommands } from '../../agent-release/install-commands.ts';
import type { Ctx } from '../../context.ts';
import type { EntityManager } from '../../database/connection.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import type { TenantScope } from '../../database/tenant-scope.ts';
import { EnrolmentCode } from '../../entities/index.ts';
import { DomainError } from '../../errors.ts';
import type { Schemas } from '../../platform-contract/types.ts';
import { refuseBeyond } from '../../preconditions/limits.ts';
import { createEnrolmentCode, hashSecret } from '../../secrets/random-secrets.ts';
import { bindHost, refuseInvalidKey, refuseRevoked } from './host-binding.ts';

const lifetimeMs = 15 * 60_000;
/** Maximum unused codes of a license that are valid at a time. */
export const maxOpenCodes = 100;

export interface CreatedCode {
  id: string;
  code: string;
  expiresAt: Date;
  /** Version of the agent that the commands install; null if there is no release. */
  agentVersion: string | null;
  commands: InstallCommands;
}

export interface EnrolledHost {
  hostId: string;
  hostname: string;
}

export interface EnrolmentParts {
  platform: PlatformScope;
  tenant: TenantScope;
  agentRelease: AgentRelease;
  publicUrl: () => string;
}

export class Enrolment {
  readonly #parts: EnrolmentParts;

  constructor(parts: EnrolmentParts) {
    this.#parts = parts;
  }

  /** Creates a code that enrolls one host. Only its hash is stored. */
  async createCode(ctx: Ctx): Promise<CreatedCode> {
    const { agentRelease, publicUrl } = this.#parts;
    const code = createEnrolmentCode();
    const release = await agentRelease.find();
    const created = await ctx.transact(async (em) => {
      await refuseBeyond(em, {
        subject: `enrolment codes ${ctx.licenseId}`,
        max: maxOpenCodes,
        count: () => em.count(EnrolmentCode, { usedAt: null, expiresAt: { $gt: new Date() } }),
        detail: `${maxOpenCodes} unused codes of this license are valid; use some, or wait until they expire.`,
      });
      const row = em.create(EnrolmentCode, {
        codeHash: hashSecret(code),
        createdBy: ctx.actor?.label ?? null,
        expiresAt: new Date(Date.now() + lifetimeMs),
      });
      await em.flush();
      return row;
    });
    return {
      id: created.id,
      code,
      expiresAt: created.expiresAt,
      agentVersion: release?.version ?? null,
      commands: installCommands(publicUrl(), code),
    };
  }

  /** Binds the host to the agent's key. The same agent may repeat it with the same code. */
  async redeem({ code, ...claims }: Schemas['HostEnrolment']): Promise<EnrolledHost> {
    refuseInvalidKey(claims.public_key);
    const codeHash = hashSecret(code);
    const found = await this.#parts.platform.read('agents', (queries) =>
      queries
        .selectFrom('enrolment_code')
        .select('license_id')
        .where('code_hash', '=', codeHash)
        .executeTakeFirst(),
    );
    if (found === undefined) throw invalidCode('This platform has not issued the code.');
    return this.#parts.tenant.transact(found.license_id, async (em) => {
      await refuseRevoked(em, found.license_id);
      const row = await lockedCode(em, codeHash, claims.public_key);
      const host = await bindHost(em, { ...claims, licenseId: found.license_id, hasOwnCredential: true });
      if (row.usedAt === null)
        em.assign(row, { usedAt: new Date(), hostId: host.id, busPublicKey: claims.public_key });
      else if (row.hostId !== host.id) throw usedCode();
      await em.flush();
      return { hostId: host.id, hostname: host.hostname };
    });
  }
}

async function lockedCode(em: EntityManager, codeHash: string, publicKey: string): Promise<EnrolmentCode> {
  const row = await em.findOne(EnrolmentCode, { codeHash }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (row === null) throw invalidCode('This platform has not issued the code.');
  if (row.expiresAt.getTime() <= Date.now())
    throw invalidCode('The code has expired; codes last 15 minutes.');
  if (row.usedAt !== null && row.busPublicKey !== publicKey) throw usedCode();
  return row;
}

const usedCode = () =>
  invalidCode('The code has already enrolled a host; each host needs a code of its own.');

const invalidCode = (detail: string) =>
  new DomainError('invalid_enrolment_code', `${detail} Create a new one under "Add a host".`);
