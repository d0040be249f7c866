// One command: its verb, its server, who requested it, its progress and its outcome.
import { Alert, Skeleton } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Facts } from '@gantry/ui/facts.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { StateText } from '@gantry/ui/state-text.tsx';
import { useMay } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import { useRead } from '../api/reading.ts';
import { toneOf, wordOf } from '../instance/command-tone.ts';
import { BackLink } from '../shared/back-link.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { Page } from '../shared/page.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { CancelCommand } from './cancel-command.tsx';
import classes from './commands.module.css';

type Command = Schemas['Command'];

const route = getRouteApi('/frame/licensed/commands/$commandId');

/** Events announce the end; this is for agents whose events are late. */
const everyMs = 5_000;

export function CommandPage() {
  const t = useTexts('commands');
  const { commandId } = route.useParams();
  const asked = useRead(
    '/api/commands/{command_id}',
    { params: { path: { command_id: commandId } } },
    { every: everyMs },
  );
  return (
    <Loaded isPage asked={asked} waitingFor={t('command')} skeleton={<Skeleton height={280} />}>
      {(command) => <Shown command={command} />}
    </Loaded>
  );
}

function Shown({ command }: { command: Command }) {
  const t = useTexts('commands');
  const instance = useTexts('instance');
  const common = useTexts('common');
  const { kind, instance_id: instanceId, requested_by } = command;
  const time = (at: string | null) => (at === null ? null : <Time at={at} />);
  return (
    <Page
      title={instance(`kinds.${kind}`)}
      status={<StateText tone={toneOf(command)}>{common(`commandStatus.${wordOf(command)}`)}</StateText>}
      above={
        instanceId === null ? (
          <BackLink to="/servers">{instance('back')}</BackLink>
        ) : (
          <BackLink to="/servers/$instanceId" params={{ instanceId }}>
            {t('server')}
          </BackLink>
        )
      }
      action={<CancelCommand command={command} />}
    >
      <Outcome command={command} />
      <Section title={t('about')}>
        <Facts
          facts={[
            [t('target'), instanceId === null ? null : <Target key="target" instanceId={instanceId} />],
            [t('by'), requested_by ?? instance('overview.byGantry')],
            [t('requested'), time(command.created_at)],
            [t('sent'), time(command.sent_at)],
            [t('acknowledged'), time(command.acknowledged_at)],
            [t('finished'), time(command.finished_at)],
            ...(command.finished_at === null ? [[t('expires'), time(command.expires_at)] as const] : []),
            [
              t('id'),
              <span key="id" className="mono">
                {command.id}
              </span>,
            ],
          ]}
        />
      </Section>
    </Page>
  );
}

function Target({ instanceId }: { instanceId: string }) {
  const may = useMay('GET /api/fleet/instances/{instance_id}');
  const { data } = useRead(
    '/api/fleet/instances/{instance_id}',
    { params: { path: { instance_id: instanceId } } },
    { enabled: may },
  );
  return (
    <Link to="/servers/$instanceId" params={{ instanceId }}>
      {data?.name ?? instanceId}
    </Link>
  );
}

function Outcome({ command: { detail, error, output, finished_at } }: { command: Command }) {
  const t = useTexts('commands');
  return (
    <Section title={t('outcome')}>
      <div className="stack">
        {error !== null && (
          <Alert color="red" title={error.code}>
            {error.detail}
          </Alert>
        )}
        {error === null && (
          <p className="sentence">{detail ?? t(finished_at === null ? 'waiting' : 'silent')}</p>
        )}
        {output !== undefined && output !== null && (
          <>
            <pre className={classes.output} tabIndex={0}>
              {output.text === '' ? t('printedNothing') : output.text}
            </pre>
            {output.is_truncated && <p className="hint">{t('truncated')}</p>}
          </>
        )}
      </div>
    </Section>
  );
}
