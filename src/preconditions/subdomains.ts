// Which subdomains licenses may have: not those that are kept for the platform, nor one that is another license's.
import type { EntityManager } from '../database/connection.ts';
import { refusing } from '../database/faults.ts';
import { DomainError } from '../errors.ts';

/** Names that visitors would take for the platform's own, or that mail and certificates give a meaning to. */
const reserved: ReadonlySet<string> = new Set(
  `abuse account accounts admin administrator agent agents api app apps assets auth autoconfig autodiscover backup beta
   billing blog bus cdn cloud console contact dashboard database demo dev developer developers dns docs download
   downloads email events files forum ftp gantry git help host hostmaster hosting imap info internal legal local
   localhost login logout mail manage metrics monitor mta-sts nats news noc ns1 ns2 oauth owner panel payment payments
   pop pop3 portal postgres postmaster preview privacy prod production proxy register root sales security server shop
   signin signup smtp sso staff staging static stats status store stripe support sysadmin system team terms test
   testing update updates upload uploads vpn webhook webhooks webmail webmaster webstore wiki wpad www www1 www2`
    .trim()
    .split(/\s+/),
);

/** Writes a license that has got that subdomain; throws `subdomain_taken` when it can not have it. */
export async function flushWithSubdomain(em: EntityManager, subdomain: string): Promise<void> {
  const taken = () => new DomainError('subdomain_taken', `The subdomain ${subdomain} is taken.`);
  if (reserved.has(subdomain)) throw taken();
  await refusing({ license_subdomain_key: taken, former_subdomain_kept: taken }, () => em.flush());
}
