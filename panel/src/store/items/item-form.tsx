// The fields of an item, in the order in which a seller thinks of them.
import { Alert, Checkbox, MultiSelect, NativeSelect, Switch, Textarea, TextInput } from '@mantine/core';
import { Section } from '@gantry/ui/section.tsx';
import type { Schemas } from '../../api/operations.ts';
import { faultAt, hasCode, problemOf } from '../../api/problem.ts';
import { NumberField } from '../../shared/number-field.tsx';
import { useTexts } from '../../texts/texts.ts';
import { CommandList } from './command-list.tsx';
import type { Example } from './command-text.ts';
import type { ItemValues } from './item-values.ts';
import { useMayType } from './permissions.ts';

interface ItemFormProps {
  values: ItemValues;
  onChange: (change: Partial<ItemValues>) => void;
  error: Error | null;
  currency: string;
  categories: readonly Schemas['StoreCategory'][];
  /** The other items of the store. */
  others: readonly Schemas['StoreItem'][];
  servers: readonly { id: string; name: string }[];
  isDisabled: boolean;
}

export function ItemForm(props: ItemFormProps) {
  return (
    <>
      <Basics {...props} />
      <Limits {...props} />
      <Delivery {...props} />
    </>
  );
}

function Basics({ values, onChange, error, currency, categories, isDisabled }: ItemFormProps) {
  const t = useTexts('store');
  const isTaken = hasCode(error, 'name_taken');
  return (
    <Section title={t('item.basics')}>
      <div className="stack">
        <TextInput
          label={t('item.name')}
          maxLength={100}
          disabled={isDisabled}
          value={values.name}
          error={isTaken ? problemOf(error)?.detail : faultAt(error, '/name')}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <div className="fields">
          <TextInput
            label={t('item.price', { currency })}
            inputMode="decimal"
            maxLength={14}
            disabled={isDisabled}
            value={values.price}
            error={faultAt(error, '/price')}
            onChange={(event) => onChange({ price: event.currentTarget.value })}
          />
          <NativeSelect
            label={t('item.category')}
            disabled={isDisabled}
            value={values.category_id}
            data={[
              { value: '', label: t('items.noCategory') },
              ...categories.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            error={faultAt(error, '/category_id')}
            onChange={(event) => onChange({ category_id: event.currentTarget.value })}
          />
          <NumberField
            label={t('position.label')}
            min={0}
            max={1_000_000}
            isWhole
            disabled={isDisabled}
            value={values.position}
            error={faultAt(error, '/position')}
            onChange={(position) => onChange({ position })}
          />
        </div>
        <Textarea
          label={t('item.description')}
          description={t('item.descriptionHint')}
          autosize
          minRows={2}
          maxRows={10}
          maxLength={5000}
          disabled={isDisabled}
          value={values.description}
          error={faultAt(error, '/description')}
          onChange={(event) => onChange({ description: event.currentTarget.value })}
        />
        <TextInput
          label={t('item.image')}
          description={t('item.imageHint')}
          type="url"
          maxLength={2000}
          placeholder="https://"
          disabled={isDisabled}
          value={values.image_url}
          error={faultAt(error, '/image_url')}
          onChange={(event) => onChange({ image_url: event.currentTarget.value })}
        />
        <Switch
          label={t('item.enabled')}
          description={t('item.enabledHint')}
          disabled={isDisabled}
          checked={values.is_enabled}
          onChange={(event) => onChange({ is_enabled: event.currentTarget.checked })}
        />
      </div>
    </Section>
  );
}

function Limits({ values, onChange, error, others, isDisabled }: ItemFormProps) {
  const t = useTexts('store');
  return (
    <Section title={t('item.limits')}>
      <div className="stack">
        <div className="fields">
          <NumberField
            label={t('item.limitTotal')}
            description={t('item.noLimit')}
            min={1}
            max={1_000_000}
            isWhole
            isOptional
            disabled={isDisabled}
            value={values.limit_total}
            error={faultAt(error, '/limit_total')}
            onChange={(limit_total) => onChange({ limit_total })}
          />
          <NumberField
            label={t('item.limitPerPlayer')}
            description={t('item.noLimit')}
            min={1}
            max={1_000_000}
            isWhole
            isOptional
            disabled={isDisabled}
            value={values.limit_per_player}
            error={faultAt(error, '/limit_per_player')}
            onChange={(limit_per_player) => onChange({ limit_per_player })}
          />
        </div>
        {others.length > 0 && (
          <MultiSelect
            label={t('item.required')}
            description={t('item.requiredHint')}
            searchable
            maxValues={20}
            disabled={isDisabled}
            value={values.required_item_ids}
            data={others.map(({ id, name }) => ({ value: id, label: name }))}
            error={faultAt(error, '/required_item_ids')}
            onChange={(required_item_ids) => onChange({ required_item_ids })}
          />
        )}
      </div>
    </Section>
  );
}

function Delivery({ values, onChange, error, servers, isDisabled }: ItemFormProps) {
  const t = useTexts('store');
  const mayType = useMayType();
  const isFixed = isDisabled || !mayType;
  const known = new Set(servers.map(({ id }) => id));
  const example: Example = {
    steam_id: '76561197960287930',
    player_name: 'Aster Vale',
    item_name: values.name.trim() === '' ? t('item.exampleName') : values.name.trim(),
    quantity: '1',
    transaction_id: '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8c01',
  };
  return (
    <Section title={t('item.delivery')} lead={t('item.deliveryLead')}>
      <div className="stack">
        {!isDisabled && !mayType && <Alert color="yellow">{t('item.noConsole')}</Alert>}
        <MultiSelect
          label={t('item.servers')}
          description={t('item.serversHint')}
          searchable
          maxValues={20}
          disabled={isFixed}
          value={values.instance_ids}
          data={[
            ...servers.map(({ id, name }) => ({ value: id, label: name })),
            ...values.instance_ids.filter((id) => !known.has(id)).map((id) => ({ value: id, label: id })),
          ]}
          error={faultAt(error, '/instance_ids')}
          onChange={(instance_ids) => onChange({ instance_ids })}
        />
        <CommandList
          label={t('item.deliveryCommands')}
          hint={t('item.deliveryCommandsHint')}
          commands={values.delivery_commands}
          example={example}
          faultOf={(index) =>
            faultAt(error, index === undefined ? '/delivery_commands' : `/delivery_commands/${index}`)
          }
          isDisabled={isFixed}
          onChange={(delivery_commands) => onChange({ delivery_commands })}
        />
        <CommandList
          label={t('item.revokeCommands')}
          hint={t('item.revokeCommandsHint')}
          commands={values.revoke_commands}
          example={example}
          faultOf={(index) =>
            faultAt(error, index === undefined ? '/revoke_commands' : `/revoke_commands/${index}`)
          }
          isDisabled={isFixed}
          onChange={(revoke_commands) => onChange({ revoke_commands })}
        />
        <Checkbox
          label={t('item.online')}
          description={t('item.onlineHint')}
          disabled={isDisabled}
          checked={values.needs_online_player}
          onChange={(event) => onChange({ needs_online_player: event.currentTarget.checked })}
        />
        <Checkbox
          label={t('item.repeats')}
          description={t('item.repeatsHint')}
          disabled={isDisabled}
          checked={values.repeats_after_wipe}
          onChange={(event) => onChange({ repeats_after_wipe: event.currentTarget.checked })}
        />
        <NumberField
          label={t('item.days')}
          description={t('item.daysHint')}
          maw={260}
          min={1}
          max={365}
          isWhole
          disabled={isDisabled}
          value={values.delivery_days}
          error={faultAt(error, '/delivery_days')}
          onChange={(delivery_days) => onChange({ delivery_days })}
        />
      </div>
    </Section>
  );
}
