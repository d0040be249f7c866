// The latest actions on one player; notes have a section of their own.
import { Link } from '@tanstack/react-router';
import { Section } from '@gantry/ui/section.tsx';
import type { Schemas } from '../api/operations.ts';
import { useFormats } from '../shared/formats.ts';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { ActionStatus } from './action-status.tsx';
import classes from './players.module.css';

const maxShown = 6;

export function RecordedActions({ record }: { record: Schemas['PlayerRecord'] }) {
  const t = useTexts('players');
  const { instance_id: instanceId, steam_id: steamId } = record;
  const actions = record.actions.filter(({ kind }) => kind !== 'note');
  return (
    <Section
      title={t('record.actions')}
      aside={
        actions.length > 0 && (
          <Link
            to="/servers/$instanceId/players"
            params={{ instanceId }}
            search={{ view: 'actions', search: steamId }}
          >
            {t('record.allActions')}
          </Link>
        )
      }
    >
      {actions.length === 0 ? (
        <p className="hint">{t('record.noActions')}</p>
      ) : (
        <ul className={classes.actions}>
          {actions.slice(0, maxShown).map((action) => (
            <ActionItem key={action.id} action={action} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function ActionItem({ action }: { action: Schemas['PlayerAction'] }) {
  const t = useTexts('players');
  const formats = useFormats();
  const { kind, status, text, until, error, requested_by, created_at } = action;
  return (
    <li className={classes.action}>
      <span className={classes.kind}>{t(`kinds.${kind}`)}</span>
      <ActionStatus status={status} />
      {text !== null && <span className={classes.text}>{text}</span>}
      <span className={classes.by}>
        {requested_by ?? t('bySystem')} · <Time at={created_at} />
        {until !== null && ` · ${t('record.until', { time: formats.dateTime(until) })}`}
      </span>
      {error !== null && <span className={classes.problem}>{error.detail}</span>}
    </li>
  );
}
