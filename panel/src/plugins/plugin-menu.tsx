// What can be done with a plugin, as a menu in its row.
import { ActionIcon, Menu } from '@mantine/core';
import { Ellipsis, Play, RotateCw, Square, Trash2, type LucideIcon } from 'lucide-react';
import { useMay } from '../api/may.ts';
import { useTexts } from '../texts/texts.ts';
import type { Plugin } from './plugin-search.ts';

export type Verb = 'load' | 'unload' | 'reload' | 'uninstall';

const icons: Record<Verb, LucideIcon> = { load: Play, unload: Square, reload: RotateCw, uninstall: Trash2 };

/** All changes need the same permission. */
export const useMayManagePlugins = () => useMay('POST /api/instances/{instance_id}/plugins/{plugin}/load');

const verbsFor = ({ state }: Plugin): readonly Verb[] =>
  state === 'loaded' ? ['reload', 'unload', 'uninstall'] : ['load', 'uninstall'];

interface PluginMenuProps {
  plugin: Plugin;
  onChoose: (verb: Verb, plugin: Plugin) => void;
}

export function PluginMenu({ plugin, onChoose }: PluginMenuProps) {
  const t = useTexts('plugins');
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('actionsFor', { name: plugin.name })}>
          <Ellipsis size={18} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {verbsFor(plugin).map((verb) => {
          const Icon = icons[verb];
          return (
            <Menu.Item
              key={verb}
              leftSection={<Icon size={15} aria-hidden="true" />}
              onClick={() => onChoose(verb, plugin)}
            >
              {t(`do.${verb}`)}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
