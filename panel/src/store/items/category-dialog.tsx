// Creates a category, or changes one.
import { Button, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '@gantry/ui/dialog.tsx';
import { faultAt, hasCode, problemOf } from '../../api/problem.ts';
import { useDocument } from '../../api/reading.ts';
import { useWrite } from '../../api/writing.ts';
import { Conflict } from '../../shared/conflict.tsx';
import { useDraft } from '../../shared/draft.ts';
import { Form } from '../../shared/form.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { NumberField } from '../../shared/number-field.tsx';
import { sendable, type NumberValue } from '../../shared/number-text.ts';
import { UnsavedGuard } from '../../shared/unsaved-guard.tsx';
import { useTexts } from '../../texts/texts.ts';

/** A category, a place for a new one, or nothing. */
export type Editing = { id: string } | { position: number } | null;

interface CategoryDialogProps {
  editing: Editing;
  onClose: () => void;
}

export function CategoryDialog({ editing, onClose }: CategoryDialogProps) {
  const t = useTexts('store');
  const isNew = editing === null || 'position' in editing;
  return (
    <Dialog
      isOpen={editing !== null}
      title={isNew ? t('categories.newTitle') : t('categories.editTitle')}
      onClose={onClose}
    >
      <div className="dialogForm">
        {editing !== null &&
          ('id' in editing ? (
            <Stored id={editing.id} onClose={onClose} />
          ) : (
            <NewCategory position={editing.position} onClose={onClose} />
          ))}
      </div>
    </Dialog>
  );
}

interface Values {
  name: string;
  description: string;
  position: NumberValue;
}

const bodyOf = ({ name, description, position }: Values) => ({
  name: name.trim(),
  description: description.trim() === '' ? null : description.trim(),
  position: sendable(position),
});

function NewCategory({ position, onClose }: { position: number; onClose: () => void }) {
  const common = useTexts('common');
  const t = useTexts('store');
  const [values, setValues] = useState<Values>({ name: '', description: '', position });
  const create = useWrite('POST /api/webstore/categories', {
    refreshes: ['/api/webstore/categories'],
    onDone: onClose,
  });
  return (
    <CategoryForm
      values={values}
      onChange={(change) => setValues((former) => ({ ...former, ...change }))}
      submit={t('categories.create')}
      isPending={create.isPending}
      error={create.error}
      onSubmit={() => create.mutate({ body: bodyOf(values) })}
      others={
        <Button variant="default" onClick={onClose}>
          {common('actions.cancel')}
        </Button>
      }
    />
  );
}

function Stored({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTexts('store');
  const asked = useDocument('/api/webstore/categories/{category_id}', {
    params: { path: { category_id: id } },
  });
  return (
    <Loaded asked={asked} waitingFor={t('categories.editTitle')}>
      {({ document: { name, description, position }, version }) => (
        <EditCategory
          id={id}
          current={{ name, description: description ?? '', position }}
          version={version}
          onClose={onClose}
        />
      )}
    </Loaded>
  );
}

interface EditCategoryProps {
  id: string;
  current: Values;
  version: string;
  onClose: () => void;
}

function EditCategory({ id, current, version, onClose }: EditCategoryProps) {
  const t = useTexts('store');
  const common = useTexts('common');
  const draft = useDraft<Values>(current, version);
  const save = useWrite('PUT /api/webstore/categories/{category_id}', {
    refreshes: ['/api/webstore/categories', '/api/webstore/categories/{category_id}'],
    onDone: onClose,
  });
  return (
    <>
      <UnsavedGuard isUnsaved={draft.isDirty} />
      <Conflict
        draft={draft}
        fields={[
          { key: 'name', name: t('categories.name'), show: ({ name }) => name },
          { key: 'description', name: t('categories.description'), show: ({ description }) => description },
          { key: 'position', name: t('position.label'), show: ({ position }) => position },
        ]}
      />
      <CategoryForm
        values={draft.values}
        onChange={draft.set}
        submit={common('actions.save')}
        isPending={save.isPending}
        error={save.error}
        onSubmit={() =>
          save.mutate({
            params: { path: { category_id: id }, header: { 'If-Match': draft.version } },
            body: bodyOf(draft.values),
          })
        }
        others={
          <Button variant="default" onClick={onClose}>
            {common('actions.cancel')}
          </Button>
        }
      />
    </>
  );
}

interface CategoryFormProps {
  values: Values;
  onChange: (change: Partial<Values>) => void;
  submit: string;
  isPending: boolean;
  error: Error | null;
  onSubmit: () => void;
  others: React.ReactNode;
}

function CategoryForm({ values, onChange, error, onSubmit, ...form }: CategoryFormProps) {
  const t = useTexts('store');
  const isTaken = hasCode(error, 'name_taken');
  return (
    <Form
      {...form}
      error={isTaken ? null : error}
      fields={['/name', '/description', '/position']}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <TextInput
        label={t('categories.name')}
        data-autofocus
        maxLength={100}
        value={values.name}
        error={isTaken ? problemOf(error)?.detail : faultAt(error, '/name')}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <Textarea
        label={t('categories.description')}
        description={t('categories.descriptionHint')}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={1000}
        value={values.description}
        error={faultAt(error, '/description')}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <NumberField
        label={t('position.label')}
        description={t('position.hint')}
        min={0}
        max={1_000_000}
        isWhole
        value={values.position}
        error={faultAt(error, '/position')}
        onChange={(position) => onChange({ position })}
      />
    </Form>
  );
}
