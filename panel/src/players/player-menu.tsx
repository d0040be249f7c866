// What can be done to a player, as a menu in a row of a list.
import { ActionIcon, Menu } from '@mantine/core';
import { Ban, Ellipsis, LogOut, MessageSquare, ShieldCheck, type LucideIcon } from 'lucide-react';
import { useMay } from '../api/may.ts';
import { useTexts } from '../texts/texts.ts';
import type { PlayerTask } from './player-task.ts';

type Kind = PlayerTask['kind'];

export const icons: Record<Kind, LucideIcon> = {
  message: MessageSquare,
  kick: LogOut,
  ban: Ban,
  unban: ShieldCheck,
};

/** All four actions need the same permission. */
export const useMayManagePlayers = () => useMay('POST /api/instances/{instance_id}/players/{steam_id}/kick');

interface PlayerMenuProps {
  steamId: string;
  name: string;
  kinds: readonly Kind[];
  onChoose: (task: PlayerTask) => void;
}

export function PlayerMenu({ steamId, name, kinds, onChoose }: PlayerMenuProps) {
  const t = useTexts('players');
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('actionsFor', { name })}>
          <Ellipsis size={18} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {kinds.map((kind) => {
          const Icon = icons[kind];
          return (
            <Menu.Item
              key={kind}
              leftSection={<Icon size={15} aria-hidden="true" />}
              onClick={() => onChoose({ kind, steamId, name })}
            >
              {t(`do.${kind}`)}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
