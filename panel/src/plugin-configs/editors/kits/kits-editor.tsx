// Kits: their terms, and their items in the places of the game's inventory.
import { Button, TextInput } from '@mantine/core';
import { Section } from '@gantry/ui/section.tsx';
import { useState } from 'react';
import { useFormats } from '../../../shared/formats.ts';
import { useTexts } from '../../../texts/texts.ts';
import { useEditing, type EditorProps } from '../editing.ts';
import { Group } from '../generic/field.tsx';
import { entriesOf, isObject, renamed, valueAt, type Json, type JsonObject } from '../../schema/data.ts';
import type { Schema } from '../../schema/schema.ts';
import { NewName } from '../parts/new-name.tsx';
import parts from '../parts/parts.module.css';
import { SideList } from '../parts/side-list.tsx';
import { Inventory } from './inventory.tsx';

const field = 'kits';

export default function KitsEditor({ data, schema }: EditorProps) {
  const t = useTexts('plugin-configs');
  const formats = useFormats();
  const { set, isReadOnly } = useEditing();
  const kits = entriesOf(data[field]);
  const [chosen, setChosen] = useState<string | null>(kits[0]?.[0] ?? null);
  const kit = chosen === null ? undefined : valueAt(data[field], [chosen]);
  const kitSchema = schema.properties[field]?.additionalProperties ?? {};
  return (
    <Section title={t('kits.title')} lead={t('kits.lead')}>
      <SideList
        label={t('kits.title')}
        entries={kits.map(([name, each]) => {
          const items = valueAt(each, ['items']);
          const count = Array.isArray(items) ? items.length : 0;
          return { key: name, name, aside: t('loot.items', { count, number: formats.number(count) }) };
        })}
        chosen={chosen}
        onChoose={setChosen}
        foot={
          !isReadOnly && (
            <NewName
              label={t('kits.new')}
              names={kits.map(([name]) => name)}
              onAdd={(name) => {
                set([field, name], { items: [] });
                setChosen(name);
              }}
            />
          )
        }
      >
        {chosen === null || kit === undefined ? (
          <p className="hint">{t('kits.none')}</p>
        ) : (
          <Kit
            key={chosen}
            name={chosen}
            kit={kit}
            kits={isObject(data[field]) ? data[field] : {}}
            schema={kitSchema}
            onRenamed={setChosen}
          />
        )}
      </SideList>
    </Section>
  );
}

interface KitProps {
  name: string;
  kit: Json;
  kits: JsonObject;
  schema: Schema;
  onRenamed: (name: string) => void;
}

function Kit({ name, kit, kits, schema, onRenamed }: KitProps) {
  const t = useTexts('plugin-configs');
  const { set, isReadOnly } = useEditing();
  const [typed, setTyped] = useState(name);
  const isTaken = typed !== name && typed in kits;
  return (
    <>
      <div className={parts.headRow}>
        <TextInput
          label={t('kits.name')}
          value={typed}
          maxLength={100}
          disabled={isReadOnly}
          error={isTaken ? t('field.nameTaken') : undefined}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onBlur={() => {
            const next = typed.trim();
            if (next === '' || next === name || isTaken) return setTyped(isTaken ? typed : name);
            set([field], renamed(kits, name, next));
            onRenamed(next);
          }}
        />
        {!isReadOnly && (
          <Button variant="default" size="compact-sm" onClick={() => set([field, name], undefined)}>
            {t('kits.remove')}
          </Button>
        )}
      </div>
      <Inventory path={[field, name, 'items']} kit={kit} schema={schema.properties?.['items']?.items ?? {}} />
      <div>
        <h3 className={parts.subtitle}>{t('kits.terms')}</h3>
        <Group
          path={[field, name]}
          schema={schema}
          value={kit}
          filter={{ generation: null, search: '', isSetOnly: false }}
          without={['items']}
        />
      </div>
    </>
  );
}
