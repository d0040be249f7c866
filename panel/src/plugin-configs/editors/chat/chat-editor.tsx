// Chat groups, each with the line that players see.
import { Button } from '@mantine/core';
import { Section } from '@gantry/ui/section.tsx';
import { useTexts } from '../../../texts/texts.ts';
import { useEditing, type EditorProps } from '../editing.ts';
import { EntryCard } from '../generic/entry-card.tsx';
import { Group } from '../generic/field.tsx';
import { isList, valueAt, type Json } from '../../schema/data.ts';
import { NewName } from '../parts/new-name.tsx';
import parts from '../parts/parts.module.css';
import classes from './chat.module.css';
import { ChatLine } from './chat-line.tsx';
import { ColorFields } from './color-fields.tsx';

const field = 'groups';

export default function ChatEditor({ data, schema, generation }: EditorProps) {
  const t = useTexts('plugin-configs');
  const { set, isReadOnly } = useEditing();
  const value = data[field];
  const groups = isList(value) ? value : [];
  const group = schema.properties[field]?.items ?? {};
  if (generation === 'v4') return null;
  return (
    <Section
      title={t('chat.title')}
      lead={t('chat.lead')}
      aside={
        value !== undefined &&
        !isReadOnly && (
          <Button variant="default" size="compact-sm" onClick={() => set([field], undefined)}>
            {t('chat.leave')}
          </Button>
        )
      }
    >
      <div className="stack">
        {groups.length > 0 && (
          <div className={classes.chat} role="group" aria-label={t('chat.preview')}>
            {groups.map((each, index) => (
              <ChatLine key={index} group={each} />
            ))}
          </div>
        )}
        {groups.map((each, index) => (
          <EntryCard
            key={index}
            path={[field, index]}
            title={nameOf(each)}
            aside={t('chat.priority', { priority: priorityOf(each) })}
            onRemove={() => set([field, index], undefined)}
          >
            <div className="stack">
              <div className={classes.chat}>
                <ChatLine group={each} />
              </div>
              <ColorFields path={[field, index]} group={each} />
              <Group
                path={[field, index]}
                schema={group}
                value={each}
                filter={{ generation: null, search: '', isSetOnly: false }}
              />
            </div>
          </EntryCard>
        ))}
        {!isReadOnly && (
          <div className={parts.picker}>
            <NewName
              label={t('chat.new')}
              names={groups.map(nameOf)}
              onAdd={(name) => set([field], [...missingDefault(groups, name), ...groups, newGroup(name)])}
            />
          </div>
        )}
      </div>
    </Section>
  );
}

function nameOf(group: Json): string {
  const name = valueAt(group, ['group']);
  return typeof name === 'string' ? name : '';
}

function priorityOf(group: Json): number {
  const priority = valueAt(group, ['priority']);
  return typeof priority === 'number' ? priority : 0;
}

const newGroup = (name: string) => ({
  group: name,
  title: { text: `[${name}]`, color: '#55aaff', size: 15 },
});

/** The plugin needs the group of all players. */
const missingDefault = (groups: readonly Json[], name: string) =>
  name === 'default' || groups.some((group) => nameOf(group) === 'default') ? [] : [newGroup('default')];
