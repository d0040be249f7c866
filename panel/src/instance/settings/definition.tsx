// What a server was created from, and its parameters, which the agent changes.
import { Alert, Button, Skeleton } from '@mantine/core';
import { Facts } from '@gantry/ui/facts.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { TriangleAlert } from 'lucide-react';
import { useMay } from '../../api/may.ts';
import type { Schemas } from '../../api/operations.ts';
import { useDocument, useRead } from '../../api/reading.ts';
import { useWrite } from '../../api/writing.ts';
import { initialValues, parameterPointers, TemplateFields } from '../../hosts/template-fields.tsx';
import { Conflict } from '../../shared/conflict.tsx';
import { useDraft } from '../../shared/draft.ts';
import { Form } from '../../shared/form.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { UnsavedGuard } from '../../shared/unsaved-guard.tsx';
import { useTexts } from '../../texts/texts.ts';
import { RequestedCommand, useCommand, useRequested } from '../requested-command.tsx';

type Instance = Schemas['GameInstance'];
type Values = Readonly<Record<string, string>>;

/** Events announce changes; this is for agents whose reports are late. */
const everyMs = 5_000;

export function Definition({ instance }: { instance: Instance }) {
  const t = useTexts('instance');
  const asked = useDocument(
    '/api/fleet/instances/{instance_id}/definition',
    { params: { path: { instance_id: instance.id } } },
    { every: everyMs },
  );
  const templates = useRead('/api/fleet/hosts/{host_id}/instance-templates', {
    params: { path: { host_id: instance.host_id } },
  });
  return (
    <Section title={t('settings.definition')} lead={t('settings.definitionLead')}>
      <Loaded asked={asked} waitingFor={t('settings.definition')} skeleton={<Skeleton height={160} />}>
        {({ document: definition, version }) => (
          <div className="stack">
            {definition.problem !== null && (
              <Alert color="red" icon={<TriangleAlert size={18} />} title={t('settings.problem')}>
                {definition.problem}
              </Alert>
            )}
            <Loaded asked={templates} waitingFor={t('settings.definition')}>
              {({ data }) => (
                <Parameters
                  instance={instance}
                  definition={definition}
                  version={version}
                  template={data.find(({ name }) => name === definition.template)}
                />
              )}
            </Loaded>
          </div>
        )}
      </Loaded>
    </Section>
  );
}

interface ParametersProps {
  instance: Instance;
  definition: Schemas['InstanceDefinition'];
  version: string;
  /** Gone if the agent's file no longer has it. */
  template: Schemas['InstanceTemplate'] | undefined;
}

function Parameters({ instance, definition, version, template }: ParametersProps) {
  const t = useTexts('instance');
  const mayChange = useMay('PATCH /api/fleet/instances/{instance_id}/definition');
  return mayChange && template !== undefined && template.parameters.length > 0 ? (
    <ParametersForm instance={instance} definition={definition} version={version} template={template} />
  ) : (
    <Facts
      facts={[
        [t('settings.template'), definition.template],
        ...Object.entries(definition.parameters).map(([name, value]) => [name, value] as const),
      ]}
    />
  );
}

interface ParametersFormProps extends ParametersProps {
  template: Schemas['InstanceTemplate'];
}

function ParametersForm({ instance, definition, version, template }: ParametersFormProps) {
  const t = useTexts('instance');
  const common = useTexts('common');
  const draft = useDraft<Values>(initialValues(template.parameters, definition.parameters), version);
  const { values, isDirty } = draft;
  const { requested, keep } = useRequested(instance.id);
  const command = useCommand(requested?.id ?? null);
  const isUnderWay =
    requested !== null && command?.kind === 'change_instance' && command.finished_at === null;
  const save = useWrite('PATCH /api/fleet/instances/{instance_id}/definition', {
    refreshes: ['/api/commands'],
    onDone: ({ id }) => keep({ id, words: t('settings.change') }),
  });
  return (
    <>
      <RequestedCommand requested={requested} keep={keep} />
      <UnsavedGuard isUnsaved={isDirty && !isUnderWay} />
      <Form
        submit={common('actions.save')}
        isPending={save.isPending || isUnderWay}
        isDisabled={!isDirty || draft.theirs !== null}
        error={save.error}
        fields={parameterPointers(template.parameters)}
        others={
          <>
            {isDirty && !isUnderWay && (
              <Button variant="default" onClick={draft.reset}>
                {common('actions.discard')}
              </Button>
            )}
            <span className="hint">{t('settings.atNextStart')}</span>
          </>
        }
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate({
            params: { path: { instance_id: instance.id }, header: { 'If-Match': draft.version } },
            body: { parameters: changed(values, draft.base.values) },
          });
        }}
      >
        <Facts
          facts={[
            [t('settings.template'), [template.name, template.description].filter(Boolean).join(' · ')],
          ]}
        />
        <Conflict
          draft={draft}
          fields={template.parameters.map(({ name }) => ({
            key: name,
            name,
            show: (shown: Values) => shown[name],
          }))}
        />
        <div className="fields">
          <TemplateFields
            parameters={template.parameters}
            values={values}
            error={save.error}
            onChange={draft.set}
          />
        </div>
      </Form>
    </>
  );
}

/** Parameters that are left out stay unchanged. */
const changed = (values: Values, base: Values): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== base[name]));
