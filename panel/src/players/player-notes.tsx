// What the team has noted about a player, on any server of the license.
import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import { Section } from '@gantry/ui/section.tsx';
import { useMay } from '../api/may.ts';
import { faultAt } from '../api/problem.ts';
import { usePages } from '../api/reading.ts';
import { useWrite } from '../api/writing.ts';
import { LoadMore } from '../shared/load-more.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import classes from './players.module.css';

interface PlayerNotesProps {
  instanceId: string;
  steamId: string;
}

const maxLength = 1_000;
const perPage = 10;

export function PlayerNotes({ instanceId, steamId }: PlayerNotesProps) {
  const t = useTexts('players');
  const notes = usePages(
    '/api/player-actions',
    { params: { query: { steam_id: steamId, kind: 'note' } } },
    { limit: perPage },
  );
  const mayAdd = useMay('POST /api/instances/{instance_id}/players/{steam_id}/notes');
  return (
    <Section title={t('notes.title')} lead={t('notes.lead')}>
      {mayAdd && <NewNote instanceId={instanceId} steamId={steamId} />}
      <Loaded asked={{ ...notes, data: notes.items }} waitingFor={t('notes.title')}>
        {(items) =>
          items.length === 0 ? (
            <p className="hint">{t('notes.none')}</p>
          ) : (
            <ul className={classes.actions} aria-label={t('notes.title')}>
              {items.map(({ id, text, requested_by, created_at, instance_id, instance_name }) => (
                <li key={id} className={classes.note}>
                  <p className={classes.noteText}>{text}</p>
                  <span className={classes.by}>
                    {requested_by ?? t('bySystem')} · <Time at={created_at} />
                    {instance_id !== instanceId && ` · ${instance_name}`}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <LoadMore pages={notes} />
    </Section>
  );
}

function NewNote({ instanceId, steamId }: PlayerNotesProps) {
  const t = useTexts('players');
  const [text, setText] = useState('');
  const add = useWrite('POST /api/instances/{instance_id}/players/{steam_id}/notes', {
    refreshes: ['/api/player-actions', '/api/instances/{instance_id}/players/{steam_id}'],
    onDone: () => setText(''),
  });
  return (
    <form
      className={classes.newNote}
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate({
          params: { path: { instance_id: instanceId, steam_id: steamId } },
          body: { text: text.trim() },
        });
      }}
    >
      <Textarea
        label={t('notes.text')}
        value={text}
        required
        withAsterisk={false}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={maxLength}
        error={faultAt(add.error, '/text')}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={add.isPending}>
        {t('notes.add')}
      </Button>
      <ProblemAlert error={add.error} fields={['/text']} />
    </form>
  );
}
