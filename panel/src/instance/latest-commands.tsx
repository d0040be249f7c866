// What was requested of a server last, by whom, and the outcome.
import { Link } from '@tanstack/react-router';
import { Section } from '@gantry/ui/section.tsx';
import { StateText } from '@gantry/ui/state-text.tsx';
import type { Schemas } from '../api/operations.ts';
import { useRead } from '../api/reading.ts';
import { Loaded } from '../shared/loaded.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { toneOf, wordOf } from './command-tone.ts';
import classes from './overview.module.css';

type Command = Schemas['Command'];

const maxShown = 6;

export function LatestCommands({ instanceId }: { instanceId: string }) {
  const t = useTexts('instance');
  const asked = useRead('/api/commands', {
    params: { query: { instance_id: instanceId, limit: maxShown } },
  });
  return (
    <Section title={t('overview.activity')}>
      <Loaded asked={asked} waitingFor={t('overview.activity')}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="hint">{t('overview.noActivity')}</p>
          ) : (
            <ul className={classes.commands}>
              {data.map((command) => (
                <CommandItem key={command.id} command={command} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}

function CommandItem({ command }: { command: Command }) {
  const t = useTexts('instance');
  const common = useTexts('common');
  return (
    <li className={classes.command}>
      <Link className={classes.kind} to="/commands/$commandId" params={{ commandId: command.id }}>
        {t(`kinds.${command.kind}`)}
      </Link>
      <StateText tone={toneOf(command)}>{common(`commandStatus.${wordOf(command)}`)}</StateText>
      <span className={classes.by}>
        {command.requested_by ?? t('overview.byGantry')} · <Time at={command.created_at} />
      </span>
      {command.error !== null && command.error.code !== 'cancelled' && (
        <span className={classes.problem}>{command.error.detail}</span>
      )}
    </li>
  );
}
