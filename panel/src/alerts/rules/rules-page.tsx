// The rules that raise alerts, edited together and saved as one version.
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../../api/may.ts';
import { hasCode } from '../../api/problem.ts';
import { useDocument } from '../../api/reading.ts';
import { useWrite } from '../../api/writing.ts';
import { Conflict } from '../../shared/conflict.tsx';
import { tagOf, useDraft } from '../../shared/draft.ts';
import { Form } from '../../shared/form.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { TableSkeleton } from '../../shared/table-skeleton.tsx';
import { UnsavedGuard } from '../../shared/unsaved-guard.tsx';
import { useTexts } from '../../texts/texts.ts';
import { alertKinds } from '../alert-search.ts';
import {
  changedRules,
  emptyFields,
  pointers,
  valuesOf,
  type RuleKind,
  type Rules,
  type RulesValues,
  type RuleValues,
} from './rule-fields.ts';
import { RuleRow } from './rule-row.tsx';
import { RuleSentence } from './rule-sentence.tsx';
import classes from './rules.module.css';

export function RulesPage() {
  const t = useTexts('alerts');
  const asked = useDocument('/api/alerts/config');
  return (
    <>
      <p className="hint">{t('rules.lead')}</p>
      <Loaded asked={asked} waitingFor={t('tabs.rules')} skeleton={<TableSkeleton rows={7} />}>
        {({ document, version }) => <RulesForm rules={document.rules} version={version} />}
      </Loaded>
    </>
  );
}

function RulesForm({ rules, version }: { rules: Rules; version: string }) {
  const t = useTexts('alerts');
  const common = useTexts('common');
  const queries = useQueryClient();
  const mayChange = useMay('PATCH /api/alerts/config');
  const [isSaved, setIsSaved] = useState(false);
  const draft = useDraft<RulesValues>(valuesOf(rules), version);
  const { values, isDirty } = draft;
  const save = useWrite('PATCH /api/alerts/config', {
    refreshes: ['/api/alerts/config', '/api/alerts'],
    onDone: (stored) => {
      draft.settle(valuesOf(stored.rules), tagOf(stored.version));
      setIsSaved(true);
    },
  });
  const isOutdated = hasCode(save.error, 'stale_version');
  const change = (kind: RuleKind, part: Partial<RuleValues>) => {
    setIsSaved(false);
    draft.set({ [kind]: { ...values[kind], ...part } });
  };
  const rows = (
    <ul className={classes.rules}>
      {alertKinds.map((kind) => (
        <RuleRow
          key={kind}
          kind={kind}
          values={values[kind]}
          isStoredOn={rules[kind].is_enabled}
          isReadOnly={!mayChange}
          error={save.error}
          onChange={(part) => change(kind, part)}
        />
      ))}
    </ul>
  );
  if (!mayChange)
    return (
      <>
        <p className="hint">{t('rules.readOnly')}</p>
        {rows}
      </>
    );
  const isComplete = alertKinds.every((kind) => emptyFields(kind, values[kind]).length === 0);
  return (
    <>
      <UnsavedGuard isUnsaved={isDirty} />
      <Form
        submit={common('actions.save')}
        isPending={save.isPending}
        isDisabled={!isDirty || !isComplete || draft.theirs !== null}
        error={isOutdated ? null : save.error}
        fields={pointers}
        others={
          <>
            {isDirty && (
              <Button variant="default" onClick={draft.reset}>
                {common('actions.discard')}
              </Button>
            )}
            {isSaved && !isDirty && <span role="status">{common('saved')}</span>}
          </>
        }
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(
            {
              params: { header: { 'If-Match': draft.version } },
              body: { rules: changedRules(values, valuesOf(rules)) },
            },
            {
              onError: (error) => {
                if (hasCode(error, 'stale_version'))
                  void queries.invalidateQueries({ queryKey: ['/api/alerts/config'] });
              },
            },
          );
        }}
      >
        <Conflict
          draft={draft}
          fields={alertKinds.map((kind) => ({
            key: kind,
            name: t(`kinds.${kind}`),
            show: (shown: RulesValues) => <RuleInWords kind={kind} values={shown[kind]} />,
          }))}
        />
        {rows}
      </Form>
    </>
  );
}

function RuleInWords({ kind, values }: { kind: RuleKind; values: RuleValues }) {
  const t = useTexts('alerts');
  if (!values.is_enabled) return t('rules.off');
  return (
    <>
      <strong>{t(`severities.${values.severity}`)}</strong>
      <RuleSentence kind={kind} place={(name) => <strong>{values[name] ?? t('rules.shipped')}</strong>} />
    </>
  );
}
