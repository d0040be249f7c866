// The fields of an item in words, for when two people change it at once.
import type { ReactNode } from 'react';
import { useTexts } from '../../texts/texts.ts';
import { useCategories, useItems } from '../use-store.ts';
import type { ItemValues } from './item-values.ts';

interface Field {
  key: keyof ItemValues;
  name: string;
  show: (values: ItemValues) => ReactNode;
}

export function useConflictFields(): Field[] {
  const t = useTexts('store');
  const categories = useCategories().items ?? [];
  const items = useItems().items ?? [];
  const yesNo = (value: boolean) => (value ? t('yes') : t('no'));
  const names = (known: readonly { id: string; name: string }[], ids: readonly string[]) =>
    ids.map((id) => known.find((each) => each.id === id)?.name ?? id).join(', ');
  return [
    { key: 'name', name: t('item.name'), show: ({ name }) => name },
    { key: 'price', name: t('items.columns.price'), show: ({ price }) => price },
    {
      key: 'category_id',
      name: t('item.category'),
      show: ({ category_id }) => names(categories, [category_id]),
    },
    { key: 'position', name: t('position.label'), show: ({ position }) => position },
    { key: 'description', name: t('item.description'), show: ({ description }) => description },
    { key: 'image_url', name: t('item.image'), show: ({ image_url }) => image_url },
    { key: 'is_enabled', name: t('item.enabled'), show: ({ is_enabled }) => yesNo(is_enabled) },
    { key: 'limit_total', name: t('item.limitTotal'), show: ({ limit_total }) => limit_total },
    {
      key: 'limit_per_player',
      name: t('item.limitPerPlayer'),
      show: ({ limit_per_player }) => limit_per_player,
    },
    {
      key: 'required_item_ids',
      name: t('item.required'),
      show: ({ required_item_ids }) => names(items, required_item_ids),
    },
    { key: 'instance_ids', name: t('item.servers'), show: ({ instance_ids }) => instance_ids.length },
    {
      key: 'delivery_commands',
      name: t('item.deliveryCommands'),
      show: ({ delivery_commands }) => delivery_commands.join('\n'),
    },
    {
      key: 'revoke_commands',
      name: t('item.revokeCommands'),
      show: ({ revoke_commands }) => revoke_commands.join('\n'),
    },
    {
      key: 'needs_online_player',
      name: t('item.online'),
      show: ({ needs_online_player }) => yesNo(needs_online_player),
    },
    {
      key: 'repeats_after_wipe',
      name: t('item.repeats'),
      show: ({ repeats_after_wipe }) => yesNo(repeats_after_wipe),
    },
    { key: 'delivery_days', name: t('item.days'), show: ({ delivery_days }) => delivery_days },
  ];
}
