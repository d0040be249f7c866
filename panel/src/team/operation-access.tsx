// Whether the user may call an operation of the API, as the platform itself decides it.
import { Anchor, Button, NativeSelect, TextInput } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Section } from '@gantry/ui/section.tsx';
import type { ReadInit, Schemas } from '../api/operations.ts';
import { hasCode } from '../api/problem.ts';
import { useRead } from '../api/reading.ts';
import { docsLink } from '../session/docs-link.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useTexts } from '../texts/texts.ts';
import classes from './team.module.css';

const route = getRouteApi('/frame/licensed/team/access');

type Kind = NonNullable<ReadInit<'/api/permissions/explain'>['params']['query']['kind']>;

const kinds = Object.keys({
  'automatic-doors': true,
  chat: true,
  'furnace-splitting': true,
  gather: true,
  kits: true,
  loot: true,
  'raidable-bases': true,
  teleport: true,
  'timed-commands': true,
} satisfies Record<Kind, true>) as Kind[];

export function OperationAccess() {
  const t = useTexts('team');
  const navigate = route.useNavigate();
  const { operation, kind } = route.useSearch();
  const [text, setText] = useState(operation);
  const explained = useRead(
    '/api/permissions/explain',
    { params: { query: { operation, ...(isKind(kind) && { kind }) } } },
    { enabled: operation !== '', keepsFormer: true },
  );
  const isUnknown = hasCode(explained.error, 'not_found', 'validation_failed');
  return (
    <Section title={t('operation.title')} lead={t('operation.lead')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void navigate({ search: (former) => ({ ...former, operation: text.trim() }), replace: true });
        }}
      >
        <div className={classes.picks}>
          <TextInput
            label={t('operation.operation')}
            description={t('operation.hint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            autoCapitalize="none"
            spellCheck={false}
            maxLength={100}
            value={text}
            error={isUnknown ? t('operation.unknown') : undefined}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <NativeSelect
            label={t('operation.kind')}
            value={isKind(kind) ? kind : ''}
            data={[{ value: '', label: t('operation.anyKind') }, ...kinds]}
            onChange={(event) => {
              const next = event.currentTarget.value;
              void navigate({ search: (former) => ({ ...former, kind: next }), replace: true });
            }}
          />
        </div>
        <div className={classes.check}>
          <Button
            type="submit"
            variant="default"
            disabled={text.trim() === ''}
            loading={explained.isFetching}
          >
            {t('operation.check')}
          </Button>
          <Anchor {...docsLink('/api/docs')}>{t('operation.docs')}</Anchor>
        </div>
      </form>
      {explained.error !== null && !isUnknown && <ProblemAlert error={explained.error} />}
      {explained.error === null && operation !== '' && explained.data !== undefined && (
        <Explanation explanation={explained.data} />
      )}
    </Section>
  );
}

const isKind = (kind: string): kind is Kind => (kinds as string[]).includes(kind);

function Explanation({ explanation }: { explanation: Schemas['AccessExplanation'] }) {
  const t = useTexts('team');
  const { operation, is_allowed, reason, permissions } = explanation;
  return (
    <div className={classes.result} data-allowed={is_allowed} role="status">
      <p className={classes.verdict}>
        {is_allowed ? t('operation.allowed', { operation }) : t('operation.refused', { operation })}
      </p>
      <p className={classes.reason}>{t(`operation.reasons.${reason}`)}</p>
      {permissions.map(({ permission, granted_by }) => (
        <p key={permission} className={classes.reason}>
          {t('operation.needs')} <code>{permission}</code> · {t('operation.grantedBy')}{' '}
          {granted_by === null ? t('operation.notGranted') : <code>{granted_by}</code>}
        </p>
      ))}
    </div>
  );
}
