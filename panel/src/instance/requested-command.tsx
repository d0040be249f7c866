// The success of the command that this tab has requested last; the frame shows what runs and what failed.
import { CloseButton } from '@mantine/core';
import { CircleCheck } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { useMay } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import { useRead } from '../api/reading.ts';
import { draftKey, readTabDraft, writeTabDraft } from '../shared/draft-storage.ts';
import { useTexts } from '../texts/texts.ts';
import classes from './requested-command.module.css';

interface Requested {
  id: string;
  /** What was asked for, such as "Kick Aster". */
  words: string;
}

const everyMs = 2_000;

const keyOf = (instanceId: string): string => draftKey('requested', instanceId);

/** Outlasts a reload of the tab. */
export function useRequested(instanceId: string) {
  const [requested, setRequested] = useState<Requested | null>(
    () => JSON.parse(readTabDraft(keyOf(instanceId)) ?? 'null') as Requested | null,
  );
  const keep = useCallback(
    (next: Requested | null) => {
      writeTabDraft(keyOf(instanceId), next === null ? null : JSON.stringify(next));
      setRequested(next);
    },
    [instanceId],
  );
  return { requested, keep };
}

/** A command, read until it has finished. */
export function useCommand(id: string | null): Schemas['Command'] | undefined {
  const may = useMay('GET /api/commands/{command_id}');
  const [finished, setFinished] = useState<string | null>(null);
  const { data } = useRead(
    '/api/commands/{command_id}',
    { params: { path: { command_id: id ?? '' } } },
    { enabled: may && id !== null, every: finished === id ? false : everyMs },
  );
  useEffect(() => {
    if (typeof data?.finished_at === 'string') setFinished(data.id);
  }, [data]);
  return data;
}

export function RequestedCommand({ requested, keep }: ReturnType<typeof useRequested>) {
  const t = useTexts('instance');
  const command = useCommand(requested?.id ?? null);
  if (requested === null || command?.status !== 'succeeded') return null;
  return (
    <div className={classes.done} role="status">
      <CircleCheck size={18} aria-hidden="true" />
      <span className={classes.words}>
        <strong>{t('done.title', { what: requested.words })}</strong> {command.detail}
      </span>
      <CloseButton aria-label={t('failed.dismiss')} onClick={() => keep(null)} />
    </div>
  );
}
