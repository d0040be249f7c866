// Adds a host: the one command to paste, and the host that appears.
import { Alert, Button, Group, Loader, SegmentedControl } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { CopyField } from '@gantry/ui/copy-field.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { StateText } from '@gantry/ui/state-text.tsx';
import { serverNow } from '@gantry/ui/server-clock.ts';
import { useMay } from '../api/may.ts';
import { useMe } from '../api/me.ts';
import { usePages } from '../api/reading.ts';
import { useWrite } from '../api/writing.ts';
import { companionTokenOf, keepCompanionToken } from '../session/companion-token.ts';
import { BackLink } from '../shared/back-link.tsx';
import { ChoiceCards } from '../shared/choice-cards.tsx';
import { Page } from '../shared/page.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useTexts } from '../texts/texts.ts';
import { exampleConfig, shells, trialCommand, defaultShell } from './agent-command.ts';
import { InstallCommand } from './install-command.tsx';
import classes from './add-host-page.module.css';

const route = getRouteApi('/frame/licensed/hosts/add');

export function AddHostPage() {
  const t = useTexts('hosts');
  const { kind } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page
      title={t('addPage.title')}
      above={<BackLink to="/hosts">{t('addPage.back')}</BackLink>}
      width="narrow"
    >
      <ChoiceCards
        label={t('addPage.kind.label')}
        value={kind}
        choices={[
          { value: 'trial', label: t('addPage.kind.trial'), detail: t('addPage.kind.trialDetail') },
          { value: 'own', label: t('addPage.kind.own'), detail: t('addPage.kind.ownDetail') },
        ]}
        onChange={(next) => void navigate({ search: { kind: next }, replace: true, resetScroll: false })}
      />
      <Section
        title={t('addPage.command.title')}
        lead={t(kind === 'own' ? 'addPage.install.lead' : 'addPage.command.lead')}
      >
        {kind === 'own' ? <InstallCommand /> : <TrialCommand />}
      </Section>
      {kind === 'own' && (
        <Section title={t('addPage.config.title')} lead={t('addPage.config.lead')}>
          <CopyField
            value={exampleConfig}
            label={t('addPage.config.label')}
            action={t('addPage.config.copy')}
          />
        </Section>
      )}
      <Section title={t('addPage.wait.title')}>
        <NewHost />
      </Section>
    </Page>
  );
}

/** In a clone of Gantry, with the companion token of the license. */
function TrialCommand() {
  const t = useTexts('hosts');
  const me = useMe();
  const [shell, setShell] = useState(defaultShell);
  const mayRotate = useMay('POST /api/license/rotate-companion-token');
  const [token, setToken] = useState(() => companionTokenOf(me.license_id));
  const rotate = useWrite('POST /api/license/rotate-companion-token', {
    onDone: ({ companion_token }) => {
      if (me.license_id !== null) keepCompanionToken(me.license_id, companion_token);
      setToken(companion_token);
    },
  });
  return (
    <>
      {token !== undefined && (
        <>
          <SegmentedControl
            mb="sm"
            aria-label={t('addPage.command.shell')}
            value={shell}
            data={shells.map((value) => ({ value, label: t(`addPage.command.shells.${value}`) }))}
            onChange={setShell}
          />
          <CopyField
            value={trialCommand({ shell, url: window.location.origin, token })}
            label={t('addPage.command.label')}
            action={t('addPage.command.copy')}
          />
          <p className={classes.secret}>{t('addPage.token.secret')}</p>
        </>
      )}
      {token === undefined && !mayRotate && <Alert color="yellow">{t('addPage.token.noRight')}</Alert>}
      {token === undefined && mayRotate && (
        <>
          <p className={classes.missing}>{t('addPage.token.missing')}</p>
          <Button loading={rotate.isPending} onClick={() => rotate.mutate({ body: {} })}>
            {t('addPage.token.create')}
          </Button>
          <ProblemAlert error={rotate.error} />
        </>
      )}
    </>
  );
}

/** On a phone it is below the command. */
const showFound = (found: HTMLDivElement | null): void => found?.scrollIntoView({ block: 'nearest' });

/** While a host is waited for, the list is read again even if no event arrives. */
const pollMs = 3_000;

/** Shows the hosts that enrolled since this page was opened. */
function NewHost() {
  const t = useTexts('hosts');
  const hosts = usePages('/api/fleet/hosts', {}, { all: true, every: pollMs });
  const [openedAt, setOpenedAt] = useState(() => serverNow());
  // Also counts one that enrolled just before: people come back from the terminal with the command already run.
  const fresh = (hosts.items ?? []).filter(({ created_at }) => Date.parse(created_at) > openedAt - 60_000);
  if (fresh.length === 0)
    return (
      <Group gap="sm" role="status">
        <Loader size="sm" />
        <div>
          <div>{t('addPage.wait.waiting')}</div>
          <div className="hint">{t('addPage.wait.hint')}</div>
        </div>
      </Group>
    );
  return (
    <div className={classes.found} ref={showFound}>
      <div role="status">
        {fresh.map(({ id, hostname }) => (
          <StateText key={id} tone="good">
            {t('addPage.wait.found', { name: hostname })}
          </StateText>
        ))}
      </div>
      <Group gap="sm">
        <Button component={Link} to="/servers">
          {t('addPage.wait.servers')}
        </Button>
        <Button variant="default" onClick={() => setOpenedAt(serverNow() + 60_000)}>
          {t('addPage.wait.another')}
        </Button>
      </Group>
      <ProblemAlert error={hosts.error} />
    </div>
  );
}
