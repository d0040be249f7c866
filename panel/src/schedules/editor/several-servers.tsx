// Creates the same schedule on several servers, with a result for each.
import { Link } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Section } from '@gantry/ui/section.tsx';
import { StateText } from '@gantry/ui/state-text.tsx';
import { intentText, Intents } from '../../api/intents.ts';
import { faultAt, hasCode, reasonOf } from '../../api/problem.ts';
import { write } from '../../api/writing.ts';
import { useTexts } from '../../texts/texts.ts';
import classes from '../schedules.module.css';
import type { documentOf } from './values.ts';

export interface Outcome {
  /** The server. */
  id: string;
  scheduleId?: string;
  /** Why the platform refused. */
  refusal?: string;
}

export function useSeveral() {
  const queries = useQueryClient();
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([]);
  const [isPending, setIsPending] = useState(false);
  const [intents] = useState(() => new Intents());
  /** A fault of the form, which is the same for every server. */
  const [error, setError] = useState<Error | null>(null);
  const create = async (
    ids: readonly string[],
    document: ReturnType<typeof documentOf>,
  ): Promise<readonly Outcome[]> => {
    setIsPending(true);
    setError(null);
    const created = outcomes.filter(({ scheduleId }) => scheduleId !== undefined);
    const done: Outcome[] = [];
    for (const id of ids) {
      const outcome = await createOn(intents, id, document);
      if (outcome instanceof Error) {
        setError(outcome);
        break;
      }
      done.push(outcome);
      setOutcomes([...created, ...done]);
    }
    void queries.invalidateQueries({ queryKey: ['/api/schedules'] });
    setIsPending(false);
    return [...done, ...ids.slice(done.length).map((id) => ({ id }))];
  };
  return { outcomes, isPending, error, create };
}

/** A repetition after a lost response has the same key, so that no server gets the schedule twice. */
async function createOn(
  intents: Intents,
  id: string,
  document: ReturnType<typeof documentOf>,
): Promise<Outcome | Error> {
  const body = { ...document, instance_id: id };
  try {
    const { reply } = await intents.run(intentText(body), (key) =>
      write('POST /api/schedules', { params: { header: { 'Idempotency-Key': key } }, body }),
    );
    return { id, scheduleId: reply.id };
  } catch (error) {
    const ofServer = faultAt(error as Error, '/instance_id');
    if (ofServer === undefined && hasCode(error, 'validation_failed')) return error as Error;
    return { id, refusal: ofServer ?? reasonOf(error as Error) };
  }
}

interface SeveralResultsProps {
  outcomes: readonly Outcome[];
  names: ReadonlyMap<string, string>;
}

export function SeveralResults({ outcomes, names }: SeveralResultsProps) {
  const t = useTexts('schedules');
  if (outcomes.length === 0) return null;
  return (
    <Section title={t('several.title')}>
      <ul className={classes.results} aria-label={t('several.title')}>
        {outcomes.map(({ id, scheduleId, refusal }) => (
          <li key={id}>
            {scheduleId === undefined ? (
              (names.get(id) ?? id)
            ) : (
              <Link to="/schedules/$scheduleId" params={{ scheduleId }}>
                {names.get(id) ?? id}
              </Link>
            )}{' '}
            <StateText tone={scheduleId === undefined ? 'bad' : 'good'}>
              {scheduleId === undefined ? t('several.refused') : t('several.created')}
            </StateText>
            {refusal !== undefined && <p className="hint">{refusal}</p>}
          </li>
        ))}
      </ul>
    </Section>
  );
}
