// One configuration: edited by forms or as JSON, and applied to servers.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useDocument } from '../../api/reading.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { TableSkeleton } from '../../shared/table-skeleton.tsx';
import { useTexts } from '../../texts/texts.ts';
import { loadSchema } from '../schema/schema.ts';
import { ConfigForm } from './config-form.tsx';

const route = getRouteApi('/frame/licensed/plugin-configs/$kind/$configId');

export function ConfigPage() {
  const t = useTexts('plugin-configs');
  const { kind, configId } = route.useParams();
  const config = useDocument('/api/plugin-configs/{kind}/{plugin_config_id}', {
    params: { path: { kind, plugin_config_id: configId } },
  });
  const schema = useQuery({
    queryKey: ['plugin-schema', kind],
    queryFn: () => loadSchema(kind),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isReady = config.data !== undefined && schema.data !== undefined;
  return (
    <Loaded
      asked={{
        data: isReady ? { ...config.data, schema: schema.data } : undefined,
        error: config.error ?? schema.error,
        isFetching: config.isFetching || schema.isFetching,
        refetch: () => Promise.all([config.refetch(), schema.refetch()]),
      }}
      waitingFor={t('title')}
      skeleton={<TableSkeleton />}
      isPage
    >
      {({ document, version, schema: read }) => (
        <ConfigForm key={document.id} config={document} version={version} schema={read} />
      )}
    </Loaded>
  );
}
