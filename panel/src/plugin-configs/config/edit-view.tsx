// The editor made for the kind, if there is one, and all other settings below.
import { NativeSelect, Skeleton } from '@mantine/core';
import { Suspense, useState } from 'react';
import { useTexts } from '../../texts/texts.ts';
import { SettingsEditor } from '../editors/generic/settings-editor.tsx';
import { editorOf } from '../editors/registry.ts';
import { kindOf, type KindName } from '../kinds.ts';
import { entriesOf, type JsonObject } from '../schema/data.ts';
import type { ObjectSchema } from '../schema/schema.ts';
import classes from './config.module.css';

interface EditViewProps {
  kind: KindName;
  data: JsonObject;
  schema: ObjectSchema;
}

export function EditView({ kind, data, schema }: EditViewProps) {
  const t = useTexts('plugin-configs');
  const { generations } = kindOf(kind);
  const [chosen, setChosen] = useState<string | null>(null);
  const generation = chosen ?? generationIn(data, schema, generations);
  const special = editorOf(kind);
  const props = { data, schema, generation };
  return (
    <div className="stack">
      {generations.length > 1 && (
        <NativeSelect
          className={classes.nameField ?? ''}
          label={t('editor.generation')}
          description={t('editor.generationHint')}
          value={generation ?? ''}
          data={generations.map((name) => ({ value: name, label: t(generationText(kind, name)) }))}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
      )}
      {special !== undefined && (
        <Suspense fallback={<Skeleton height={240} />}>
          <special.Editor {...props} />
        </Suspense>
      )}
      <SettingsEditor {...props} without={special?.covers ?? []} />
    </div>
  );
}

/** The version or edition whose settings are configured, else the usual one. */
function generationIn(
  data: JsonObject,
  { properties }: ObjectSchema,
  generations: readonly string[],
): string | null {
  const used = entriesOf(data).flatMap(([name]) => properties[name]?.generations ?? []);
  return generations.find((name) => used.includes(name)) ?? generations[0] ?? null;
}

/** Keys of texts have no points inside. */
const generationText = (kind: KindName, generation: string) =>
  `generations.${kind} ${generation.replace('0.', '')}` as 'generations.loot v4';
