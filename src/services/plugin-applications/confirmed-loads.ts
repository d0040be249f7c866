// Checks whether a server's plugins have loaded a configuration since it was last written there.
import type { Queries } from '../../database/reader.ts';
import type { Applied } from './pending-config.ts';

/** Whether the last completed application of this kind to the instance wrote the same version and was loaded. */
export async function isLoadConfirmed(
  queries: Queries,
  { id, kind, instanceId, configId, configVersion }: Applied,
): Promise<boolean> {
  const last = await queries
    .selectFrom('plugin_application')
    .select(['plugin_config_id', 'config_version', 'status', 'is_loaded'])
    .where('instance_id', '=', instanceId)
    .where('kind', '=', kind)
    .where('id', '!=', id)
    .where('finished_at', 'is not', null)
    .orderBy('finished_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return (
    last?.status === 'succeeded' &&
    last.is_loaded === true &&
    last.plugin_config_id === configId &&
    last.config_version === configVersion
  );
}
