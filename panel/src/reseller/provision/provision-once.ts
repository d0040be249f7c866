// One request of the provisioning operation.
import type { Schemas } from '../../api/operations.ts';
import { hostClient } from '../host-client.ts';

export type Server = Schemas['ProvisionedServer'];
export type License = Schemas['ProvisionedLicense'];
export type Report = Schemas['ProvisioningReport'];

/** Sent again with its key, a request returns its first response instead of being carried out again. */
export async function provisionOnce(
  servers: readonly Server[],
  { key, isDryRun = false }: { key?: string; isDryRun?: boolean } = {},
): Promise<Report> {
  const client = hostClient();
  const { data } = await client.POST('/api/host/provision', {
    ...(key !== undefined && { params: { header: { 'Idempotency-Key': key } } }),
    body: { servers: [...servers], dry_run: isDryRun },
  });
  return data as Report;
}

/** The license of a provisioned server with its secrets; asked for dry first, so that nothing can be created. */
export async function licenseOf(server: Server): Promise<License | null> {
  const [known] = (await provisionOnce([server], { isDryRun: true })).results;
  if (known?.outcome !== 'existing') return null;
  return (await provisionOnce([server])).results[0]?.license ?? null;
}

/** As many as a request may have. */
const maxServers = 500;

/** What provisioning the servers would do, in their order. */
export async function dryRun(servers: readonly Server[]): Promise<Report['results']> {
  const results: Report['results'] = [];
  for (let start = 0; start < servers.length; start += maxServers)
    results.push(
      ...(await provisionOnce(servers.slice(start, start + maxServers), { isDryRun: true })).results,
    );
  return results;
}
