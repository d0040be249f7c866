// The templates of a host, and servers created from them.
import { Button, TextInput } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Dialog } from '@gantry/ui/dialog.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { useMay } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import { faultAt, hasCode, problemOf } from '../api/problem.ts';
import { useRead } from '../api/reading.ts';
import { useWrite } from '../api/writing.ts';
import { Form } from '../shared/form.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { useTexts } from '../texts/texts.ts';
import { CreationProgress } from './creation-progress.tsx';
import classes from './host-page.module.css';
import { TemplateHelp } from './template-help.tsx';
import { initialValues, parameterPointers, TemplateFields } from './template-fields.tsx';

type Template = Schemas['InstanceTemplate'];

const route = getRouteApi('/frame/licensed/hosts/$hostId');

export function InstanceTemplates({ host }: { host: Schemas['AgentHost'] }) {
  const t = useTexts('hosts');
  const mayCreate = useMay('POST /api/fleet/hosts/{host_id}/instances');
  const [template, setTemplate] = useState<Template | null>(null);
  const { command } = route.useSearch();
  const navigate = route.useNavigate();
  const follow = (commandId: string) => void navigate({ search: { command: commandId }, replace: true });
  const asked = useRead('/api/fleet/hosts/{host_id}/instance-templates', {
    params: { path: { host_id: host.id } },
  });
  return (
    <Section title={t('templates.title')} lead={t('templates.lead')}>
      <div className="stack">
        {command !== '' && <CreationProgress commandId={command} onClose={() => follow('')} />}
        <Loaded asked={asked} waitingFor={t('templates.title')}>
          {({ data, max_instances: max }) =>
            data.length === 0 || max === 0 ? (
              <TemplateHelp />
            ) : (
              <ul className={classes.servers}>
                {data.map((each) => (
                  <li key={each.name} className={classes.server}>
                    <span>
                      <strong>{each.name}</strong> <span className="dim">{each.description}</span>
                    </span>
                    {mayCreate && (
                      <Button
                        size="compact-sm"
                        variant="default"
                        leftSection={<Plus size={14} aria-hidden="true" />}
                        aria-label={t('templates.createFrom', { name: each.name })}
                        onClick={() => setTemplate(each)}
                      >
                        {t('templates.create')}
                      </Button>
                    )}
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </div>
      <Dialog
        isOpen={template !== null}
        title={t('templates.dialog', { name: host.hostname })}
        onClose={() => setTemplate(null)}
      >
        {template !== null && (
          <CreateForm
            hostId={host.id}
            template={template}
            onDone={(commandId) => {
              setTemplate(null);
              follow(commandId);
            }}
          />
        )}
      </Dialog>
    </Section>
  );
}

interface CreateFormProps {
  hostId: string;
  template: Template;
  onDone: (commandId: string) => void;
}

function CreateForm({ hostId, template, onDone }: CreateFormProps) {
  const t = useTexts('hosts');
  const [name, setName] = useState('');
  const [values, setValues] = useState(() => initialValues(template.parameters, {}));
  const create = useWrite('POST /api/fleet/hosts/{host_id}/instances', {
    refreshes: ['/api/commands', '/api/fleet/instances'],
    onDone: ({ id }) => onDone(id),
  });
  return (
    <div className="dialogForm">
      <Form
        submit={t('templates.create')}
        isPending={create.isPending}
        isDisabled={name === ''}
        error={hasCode(create.error, 'name_taken') ? null : create.error}
        fields={['/name', ...parameterPointers(template.parameters)]}
        onSubmit={(event) => {
          event.preventDefault();
          const parameters = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
          create.mutate({
            params: { path: { host_id: hostId } },
            body: { name, template: template.name, parameters },
          });
        }}
      >
        <TextInput
          label={t('templates.name')}
          description={t('templates.nameHint')}
          maxLength={64}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          value={name}
          error={
            hasCode(create.error, 'name_taken')
              ? problemOf(create.error)?.detail
              : faultAt(create.error, '/name')
          }
          onChange={(event) => setName(event.currentTarget.value.toLowerCase())}
        />
        <TemplateFields
          parameters={template.parameters}
          values={values}
          error={create.error}
          onChange={(change) => setValues({ ...values, ...change })}
        />
      </Form>
    </div>
  );
}
