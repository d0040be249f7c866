// Creates an item, or changes one.
import { Button, Skeleton } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useMay } from '../../api/may.ts';
import type { Schemas } from '../../api/operations.ts';
import { keyOf, useDocument, usePages } from '../../api/reading.ts';
import { useWrite } from '../../api/writing.ts';
import { BackLink } from '../../shared/back-link.tsx';
import { Conflict } from '../../shared/conflict.tsx';
import { tagOf, useDraft } from '../../shared/draft.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { Page } from '../../shared/page.tsx';
import { priceOf } from '../../shared/price.ts';
import { ProblemAlert } from '../../shared/problem-alert.tsx';
import { UnsavedGuard } from '../../shared/unsaved-guard.tsx';
import { useTexts } from '../../texts/texts.ts';
import { decimalsOf } from '../currency.ts';
import { byPosition, useCategories, useItems, useSettings } from '../use-store.ts';
import { useConflictFields } from './conflict-fields.tsx';
import { DeleteItemDialog } from './delete-dialogs.tsx';
import { ItemForm } from './item-form.tsx';
import { ItemPreview } from './item-preview.tsx';
import { bodyOf, newItem, valuesOf, type ItemValues } from './item-values.ts';
import classes from './items.module.css';

const route = getRouteApi('/frame/licensed/webstore/items/$itemId');

/** Fields that show their own faults. */
const fields = [
  'name',
  'price',
  'category_id',
  'position',
  'description',
  'image_url',
  'limit_total',
  'limit_per_player',
  'required_item_ids',
  'instance_ids',
  'delivery_days',
  'delivery_commands',
  'revoke_commands',
  ...Array.from({ length: 10 }, (_, index) => [
    `delivery_commands/${index}`,
    `revoke_commands/${index}`,
  ]).flat(),
].map((name) => `/${name}`);

export function NewItemPage() {
  const t = useTexts('store');
  const settings = useSettings();
  const navigate = useNavigate();
  const [values, setValues] = useState(newItem);
  const create = useWrite('POST /api/webstore/items', {
    refreshes: ['/api/webstore/items', '/api/webstore/categories'],
    onDone: () => void navigate({ to: '/webstore/items', ignoreBlocker: true }),
  });
  return (
    <Loaded isPage asked={settings} waitingFor={t('item.newTitle')} skeleton={<Skeleton height={400} />}>
      {(store) => (
        <Editor
          title={t('item.newTitle')}
          values={values}
          onChange={(change) => setValues((former) => ({ ...former, ...change }))}
          isUnsaved={values !== newItem}
          store={store}
          error={create.error}
          isReadOnly={false}
          actions={
            <Button
              loading={create.isPending}
              onClick={() => create.mutate({ body: bodyOf(values, decimalsOf(store.currency)) })}
            >
              {t('item.create')}
            </Button>
          }
        />
      )}
    </Loaded>
  );
}

export function ItemPage() {
  const t = useTexts('store');
  const { itemId } = route.useParams();
  const item = useDocument('/api/webstore/items/{item_id}', { params: { path: { item_id: itemId } } });
  const settings = useSettings();
  return (
    <Loaded isPage asked={item} waitingFor={t('item.title')} skeleton={<Skeleton height={400} />}>
      {({ document, version }) => (
        <Loaded isPage asked={settings} waitingFor={t('item.title')} skeleton={<Skeleton height={400} />}>
          {(store) => <StoredItem item={document} version={version} store={store} />}
        </Loaded>
      )}
    </Loaded>
  );
}

interface StoredItemProps {
  item: Schemas['StoreItem'];
  version: string;
  store: Schemas['StoreSettings'];
}

function StoredItem({ item, version, store }: StoredItemProps) {
  const t = useTexts('store');
  const common = useTexts('common');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const mayChange = useMay('PUT /api/webstore/items/{item_id}');
  const mayDelete = useMay('DELETE /api/webstore/items/{item_id}');
  const [isDeleting, setIsDeleting] = useState(false);
  const [isSaved, setIsSaved] = useState(false);
  const draft = useDraft(valuesOf(item), version);
  const conflictFields = useConflictFields();
  const params = { path: { item_id: item.id } };
  const save = useWrite('PUT /api/webstore/items/{item_id}', {
    refreshes: ['/api/webstore/items', '/api/webstore/categories'],
    onDone: (stored) => {
      const tag = tagOf(stored.version);
      queries.setQueryData([...keyOf('/api/webstore/items/{item_id}', { params }), 'document'], {
        document: stored,
        version: tag,
      });
      draft.settle(valuesOf(stored), tag);
      setIsSaved(true);
    },
  });
  return (
    <>
      <Editor
        title={item.name}
        values={draft.values}
        onChange={(change) => {
          setIsSaved(false);
          draft.set(change);
        }}
        isUnsaved={draft.isDirty}
        store={store}
        itemId={item.id}
        error={save.error}
        isReadOnly={!mayChange}
        conflict={<Conflict draft={draft} fields={conflictFields} />}
        actions={
          <>
            <Button
              loading={save.isPending}
              disabled={!draft.isDirty}
              onClick={() =>
                save.mutate({
                  params: { ...params, header: { 'If-Match': draft.version } },
                  body: bodyOf(draft.values, decimalsOf(store.currency)),
                })
              }
            >
              {common('actions.save')}
            </Button>
            {draft.isDirty && (
              <Button variant="default" onClick={draft.reset}>
                {common('actions.discard')}
              </Button>
            )}
            {isSaved && !draft.isDirty && <span role="status">{common('saved')}</span>}
          </>
        }
        danger={
          mayDelete && (
            <Button variant="default" onClick={() => setIsDeleting(true)}>
              {t('item.delete')}
            </Button>
          )
        }
      />
      <DeleteItemDialog
        item={item}
        isOpen={isDeleting}
        onClose={() => setIsDeleting(false)}
        onDeleted={() => void navigate({ to: '/webstore/items', ignoreBlocker: true })}
      />
    </>
  );
}

interface EditorProps {
  title: string;
  values: ItemValues;
  onChange: (change: Partial<ItemValues>) => void;
  isUnsaved: boolean;
  store: Schemas['StoreSettings'];
  itemId?: string;
  error: Error | null;
  isReadOnly: boolean;
  conflict?: ReactNode;
  actions: ReactNode;
  danger?: ReactNode;
}

function Editor(props: EditorProps) {
  const { title, values, onChange, isUnsaved, store, itemId, error, isReadOnly, conflict, actions, danger } =
    props;
  const t = useTexts('store');
  const mayReadServers = useMay('GET /api/fleet/instances');
  const servers = usePages('/api/fleet/instances', {}, { all: true, enabled: mayReadServers }).items ?? [];
  const categories = useCategories().items ?? [];
  const items = useItems().items ?? [];
  return (
    <Page
      title={title}
      above={<BackLink to="/webstore/items">{t('tabs.items')}</BackLink>}
      {...(danger !== undefined && danger !== false && { action: danger })}
    >
      <UnsavedGuard isUnsaved={isUnsaved} />
      {conflict}
      <div className={classes.editor}>
        <div className="stack">
          <ItemForm
            values={values}
            onChange={onChange}
            error={error}
            currency={store.currency}
            categories={categories.toSorted(byPosition)}
            others={items.filter(({ id }) => id !== itemId)}
            servers={servers}
            isDisabled={isReadOnly}
          />
          <ProblemAlert error={error} fields={fields} />
          {!isReadOnly && <div className={classes.saveBar}>{actions}</div>}
        </div>
        <ItemPreview
          values={values}
          price={priceOf(values.price, decimalsOf(store.currency))}
          settings={store}
        />
      </div>
    </Page>
  );
}
