// Lists the sessions of the user, and ends them.
import { Badge, Button, Group } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { Section } from '@gantry/ui/section.tsx';
import type { Schemas } from '../api/operations.ts';
import { usePages } from '../api/reading.ts';
import { useWrite } from '../api/writing.ts';
import { Loaded } from '../shared/loaded.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import classes from './account.module.css';
import { sessionProgram } from './session-program.ts';

export function SessionsSection() {
  const t = useTexts('account');
  const sessions = usePages('/auth/sessions', {}, { all: true });
  const [isAsking, setIsAsking] = useState(false);
  const endOthers = useWrite('DELETE /auth/sessions', {
    refreshes: ['/auth/sessions'],
    onDone: () => setIsAsking(false),
  });
  const others = (sessions.items ?? []).filter(({ is_current }) => !is_current);
  return (
    <Section
      title={t('sessions.title')}
      lead={t('sessions.lead')}
      aside={
        others.length > 0 && (
          <Button variant="default" size="xs" onClick={() => setIsAsking(true)}>
            {t('sessions.endOthers')}
          </Button>
        )
      }
    >
      <Loaded asked={{ ...sessions, data: sessions.items }} waitingFor={t('sessions.title')}>
        {(items) => (
          <ul className={classes.sessions}>
            {items.map((item) => (
              <SessionItem key={item.id} item={item} />
            ))}
          </ul>
        )}
      </Loaded>
      <ConfirmDialog
        isOpen={isAsking}
        title={t('sessions.endOthersTitle')}
        action={t('sessions.endOthers')}
        isDangerous
        isPending={endOthers.isPending}
        problem={<ProblemAlert error={endOthers.error} />}
        onConfirm={() => endOthers.mutate({})}
        onClose={() => setIsAsking(false)}
      >
        <p>{t('sessions.endOthersLead')}</p>
      </ConfirmDialog>
    </Section>
  );
}

function SessionItem({ item }: { item: Schemas['UserSession'] }) {
  const t = useTexts('account');
  const program = useProgramName(item.user_agent);
  const end = useWrite('DELETE /auth/sessions/{session_id}', { refreshes: ['/auth/sessions'] });
  return (
    <li className={classes.session}>
      <div>
        <Group gap="xs">
          <span className={classes.place} title={item.user_agent ?? undefined}>
            {program}
          </span>
          {item.is_current && (
            <Badge variant="light" size="sm" tt="none">
              {t('sessions.current')}
            </Badge>
          )}
        </Group>
        <p className="hint">
          {item.source ?? t('sessions.unknownSource')} · {t('sessions.signedIn')}{' '}
          <Time at={item.created_at} /> · {t('sessions.lastUsed')} <Time at={item.last_used_at} />
        </p>
        <ProblemAlert error={end.error} />
      </div>
      {!item.is_current && (
        <Button
          variant="default"
          size="xs"
          loading={end.isPending}
          onClick={() => end.mutate({ params: { path: { session_id: item.id } } })}
        >
          {t('sessions.end')}
        </Button>
      )}
    </li>
  );
}

function useProgramName(userAgent: string | null): string {
  const t = useTexts('account');
  const program = sessionProgram(userAgent);
  switch (program.kind) {
    case 'browser':
      return program.system === ''
        ? program.browser
        : t('sessions.browser', { browser: program.browser, system: program.system });
    case 'program':
      return program.name;
    case 'unknown':
      return t('sessions.unknownProgram');
  }
}
