// What the editor of an item holds, and what it sends.
import type { Schemas } from '../../api/operations.ts';
import { sendable, type NumberValue } from '../../shared/number-text.ts';
import { priceOf } from '../../shared/price.ts';

export interface ItemValues {
  name: string;
  description: string;
  image_url: string;
  category_id: string;
  position: NumberValue;
  price: string;
  is_enabled: boolean;
  /** Empty for no limit. */
  limit_per_player: NumberValue;
  limit_total: NumberValue;
  required_item_ids: string[];
  instance_ids: string[];
  delivery_commands: string[];
  revoke_commands: string[];
  needs_online_player: boolean;
  repeats_after_wipe: boolean;
  delivery_days: NumberValue;
}

export const newItem: ItemValues = {
  name: '',
  description: '',
  image_url: '',
  category_id: '',
  position: 10,
  price: '',
  is_enabled: true,
  limit_per_player: '',
  limit_total: '',
  required_item_ids: [],
  instance_ids: [],
  delivery_commands: [''],
  revoke_commands: [],
  needs_online_player: false,
  repeats_after_wipe: false,
  delivery_days: 30,
};

export const valuesOf = (item: Schemas['StoreItem']): ItemValues => ({
  name: item.name,
  description: item.description ?? '',
  image_url: item.image_url ?? '',
  category_id: item.category_id ?? '',
  position: item.position,
  price: item.price.amount,
  is_enabled: item.is_enabled,
  limit_per_player: item.limit_per_player ?? '',
  limit_total: item.limit_total ?? '',
  required_item_ids: item.required_item_ids,
  instance_ids: item.instance_ids,
  delivery_commands: item.delivery_commands,
  revoke_commands: item.revoke_commands,
  needs_online_player: item.needs_online_player,
  repeats_after_wipe: item.repeats_after_wipe,
  delivery_days: item.delivery_days,
});

/** Empty commands at the end were only offered. */
export const bodyOf = (values: ItemValues, decimals: number): Schemas['StoreItemReplace'] => ({
  ...values,
  name: values.name.trim(),
  description: textOrNull(values.description),
  image_url: textOrNull(values.image_url),
  category_id: textOrNull(values.category_id),
  position: sendable(values.position),
  price: priceOf(values.price, decimals),
  limit_per_player: numberOrNull(values.limit_per_player),
  limit_total: numberOrNull(values.limit_total),
  delivery_commands: withoutEmptyEnd(values.delivery_commands),
  revoke_commands: withoutEmptyEnd(values.revoke_commands),
  delivery_days: sendable(values.delivery_days),
});

const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

const numberOrNull = (value: NumberValue): number | null => (value === '' ? null : sendable(value));

function withoutEmptyEnd(commands: readonly string[]): string[] {
  const last = commands.findLastIndex((command) => command.trim() !== '');
  return commands.slice(0, last + 1).map((command) => command.trim());
}
