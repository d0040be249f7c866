// What can be done with a configuration as a whole: duplicate, export, delete.
import { ActionIcon, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Copy, Download, Ellipsis, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Schemas } from '../../api/operations.ts';
import { useTexts } from '../../texts/texts.ts';
import { useMayFor } from '../kinds.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { DuplicateDialog } from './duplicate-dialog.tsx';
import { ExportDialog } from './export-dialog.tsx';

interface ConfigMenuProps {
  config: Schemas['PluginConfigSummary'];
  /** Unsaved changes are not in copies and exports. */
  isDirty?: boolean;
}

export function ConfigMenu({ config, isDirty = false }: ConfigMenuProps) {
  const t = useTexts('plugin-configs');
  const common = useTexts('common');
  const navigate = useNavigate();
  const [asking, setAsking] = useState<'duplicate' | 'export' | 'delete' | null>(null);
  const { kind, name } = config;
  const mayDuplicate = useMayFor('POST /api/plugin-configs/{kind}/{plugin_config_id}/duplicate')(kind);
  const mayDelete = useMayFor('DELETE /api/plugin-configs/{kind}/{plugin_config_id}')(kind);
  const close = () => setAsking(null);
  return (
    <>
      <Menu position="bottom-end" withinPortal={false} width={200}>
        <Menu.Target>
          <ActionIcon variant="default" size={34} aria-label={t('menu.label', { name })}>
            <Ellipsis size={17} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {mayDuplicate && (
            <Menu.Item leftSection={<Copy size={16} />} onClick={() => setAsking('duplicate')}>
              {t('menu.duplicate')}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<Download size={16} />} onClick={() => setAsking('export')}>
            {t('menu.export')}
          </Menu.Item>
          {mayDelete && (
            <>
              <Menu.Divider />
              <Menu.Item color="red" leftSection={<Trash2 size={16} />} onClick={() => setAsking('delete')}>
                {common('actions.delete')}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {asking === 'duplicate' && (
        <DuplicateDialog
          config={config}
          isDirty={isDirty}
          onClose={close}
          onDone={(copy) =>
            void navigate({
              to: '/plugin-configs/$kind/$configId',
              params: { kind: copy.kind, configId: copy.id },
            })
          }
        />
      )}
      {asking === 'export' && <ExportDialog config={config} isDirty={isDirty} onClose={close} />}
      {asking === 'delete' && (
        <DeleteDialog
          config={config}
          onClose={close}
          onDone={() => void navigate({ to: '/plugin-configs', ignoreBlocker: true })}
        />
      )}
    </>
  );
}
