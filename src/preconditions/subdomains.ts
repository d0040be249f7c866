// Checks the subdomains of licenses: neither reserved for the platform nor taken by another license.
import type { EntityManager } from '../database/connection.ts';
import { refusing } from '../database/faults.ts';
import { DomainError } from '../errors.ts';

/** Names that visitors would take for the platform's own, or that have a meaning for mail or certificates. */
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

/** Flushes a license with a changed subdomain; throws `subdomain_taken` if the subdomain is not available. */
export async function flushWithSubdomain(em: EntityManager, subdomain: string): Promise<void> {
  const taken = () => new DomainError('subdomain_taken', `The subdomain ${subdomain} is taken.`);
  if (reserved.has(subdomain)) throw taken();
  await refusing({ license_subdomain_key: taken, former_subdomain_kept: taken }, () => em.flush());
}
