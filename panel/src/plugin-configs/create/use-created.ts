// Leads to a configuration that was just made.
import { useNavigate } from '@tanstack/react-router';
import type { Schemas } from '../../api/operations.ts';
import { setImported } from './handed-over.ts';

export function useCreated() {
  const navigate = useNavigate();
  const open = ({ kind, id }: Schemas['PluginConfig']) =>
    void navigate({
      to: '/plugin-configs/$kind/$configId',
      params: { kind, configId: id },
      ignoreBlocker: true,
    });
  return {
    onCreated: open,
    onImported: ({ config, not_read, not_read_count }: Schemas['PluginConfigImported']) => {
      setImported(config.id, { not_read, not_read_count });
      open(config);
    },
  };
}
