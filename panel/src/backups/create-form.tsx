// Asks the agent for a backup of all files, or of some.
import { Radio, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { faultText } from '../api/fault-text.ts';
import { conditionOf, faultAt, problemOf } from '../api/problem.ts';
import { useWrite } from '../api/writing.ts';
import { Form } from '../shared/form.tsx';
import { useTexts } from '../texts/texts.ts';
import { maxNoteLength, refreshes, useInstanceId } from './backups.ts';

export function CreateForm({ onClose }: { onClose: () => void }) {
  const t = useTexts('backups');
  const instanceId = useInstanceId();
  const [note, setNote] = useState('');
  const [scope, setScope] = useState('all');
  const [paths, setPaths] = useState('');
  const create = useWrite('POST /api/instances/{instance_id}/backups', { refreshes, onDone: onClose });
  const listed = paths
    .split('\n')
    .map((path) => path.trim().replace(/^\/+|\/+$/g, ''))
    .filter((path) => path !== '');
  const isRefused = faultOfPaths(create.error) !== undefined;
  return (
    <div className="dialogForm">
      <Form
        submit={t('create.action')}
        isPending={create.isPending}
        isDisabled={scope === 'some' && listed.length === 0}
        error={isRefused ? null : create.error}
        fields={['/note']}
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate({
            params: { path: { instance_id: instanceId } },
            body: {
              ...(note.trim() !== '' && { note: note.trim() }),
              ...(scope === 'some' && { paths: listed }),
            },
          });
        }}
      >
        <TextInput
          label={t('columns.note')}
          description={t('note.hint')}
          maxLength={maxNoteLength}
          value={note}
          data-autofocus
          error={faultAt(create.error, '/note')}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <Radio.Group label={t('columns.content')} value={scope} onChange={setScope}>
          <Stack gap="xs" mt="xs">
            <Radio value="all" label={t('content.all')} description={t('create.allHint')} />
            <Radio value="some" label={t('content.some')} />
          </Stack>
        </Radio.Group>
        {scope === 'some' && (
          <Textarea
            label={t('create.paths')}
            description={t('create.pathsHint')}
            autosize
            minRows={3}
            maxRows={8}
            spellCheck={false}
            value={paths}
            error={faultOfPaths(create.error)}
            onChange={(event) => setPaths(event.currentTarget.value)}
          />
        )}
      </Form>
    </div>
  );
}

/** The objection to any of the paths, whose pointers have their numbers. */
function faultOfPaths(error: Error | null): string | undefined {
  const problem = problemOf(error);
  if (problem?.code === 'path_refused') return conditionOf(problem);
  const fault = problem?.errors?.find(({ pointer }) => pointer.startsWith('/paths'));
  return fault && faultText(fault);
}
