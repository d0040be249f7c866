// What can be done with one map.
import { ActionIcon, Menu } from '@mantine/core';
import { Download, Ellipsis, Globe, Lock, Pencil, Send, Trash2 } from 'lucide-react';
import { useMay } from '../api/may.ts';
import { useTexts } from '../texts/texts.ts';
import { downloadMap, type Asking, type GameMap } from './maps.ts';

interface MapMenuProps {
  map: GameMap;
  onAsk: (asking: Asking) => void;
}

export function MapMenu({ map, onAsk }: MapMenuProps) {
  const t = useTexts('maps');
  const mayDeploy = useMay('POST /api/instances/{instance_id}/map-deployments');
  const mayChange = useMay('PATCH /api/maps/{map_id}');
  const mayDelete = useMay('DELETE /api/maps/{map_id}');
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('actions.menu', { name: map.name })}>
          <Ellipsis size={17} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {mayDeploy && (
          <Menu.Item leftSection={<Send size={16} />} onClick={() => onAsk({ kind: 'deploy', map })}>
            {t('actions.deploy')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<Download size={16} />} onClick={() => void downloadMap(map, t('title'))}>
          {t('actions.download')}
        </Menu.Item>
        {mayChange && (
          <>
            <Menu.Item leftSection={<Pencil size={16} />} onClick={() => onAsk({ kind: 'rename', map })}>
              {t('actions.rename')}
            </Menu.Item>
            <Menu.Item
              leftSection={map.is_public ? <Lock size={16} /> : <Globe size={16} />}
              onClick={() => onAsk({ kind: 'publish', map })}
            >
              {map.is_public ? t('actions.hide') : t('actions.publish')}
            </Menu.Item>
          </>
        )}
        {mayDelete && (
          <>
            <Menu.Divider />
            <Menu.Item
              color="red"
              leftSection={<Trash2 size={16} />}
              onClick={() => onAsk({ kind: 'delete', map })}
            >
              {t('actions.delete')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
