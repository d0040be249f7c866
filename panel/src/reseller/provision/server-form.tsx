// Provisions the license of one server.
import { TextInput } from '@mantine/core';
import { Section } from '@gantry/ui/section.tsx';
import { useState } from 'react';
import { Form } from '../../shared/form.tsx';
import { UnsavedGuard } from '../../shared/unsaved-guard.tsx';
import { useTexts } from '../../texts/texts.ts';
import type { Server } from './provision-once.ts';
import { provisioning, useProvisioning } from './provisioning.ts';
import { faultsOf, fields, type Field } from './servers-file.ts';

const none: Server = { server_id: '', hostname: '', customer_email: '' };

export function ServerForm() {
  const t = useTexts('reseller');
  const { isRunning, error } = useProvisioning();
  const [server, setServer] = useState(none);
  const [faults, setFaults] = useState<readonly Field[]>([]);
  return (
    <Section title={t('one.title')}>
      <UnsavedGuard isUnsaved={server !== none} />
      <Form
        submit={t('provision.action')}
        isPending={isRunning}
        isDisabled={fields.some((field) => server[field].trim() === '')}
        error={error}
        onSubmit={(event) => {
          event.preventDefault();
          const given = {
            server_id: server.server_id.trim(),
            hostname: server.hostname.trim(),
            customer_email: server.customer_email.trim(),
          };
          const wrong = faultsOf(given);
          setFaults(wrong);
          if (wrong.length === 0) void provisioning.start([given]);
        }}
      >
        <div className="fields">
          {fields.map((field) => (
            <TextInput
              key={field}
              label={t(`fields.${field}`)}
              description={t(`hints.${field}`)}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              type={field === 'customer_email' ? 'email' : 'text'}
              autoComplete="off"
              spellCheck={false}
              maxLength={field === 'customer_email' ? 254 : 100}
              value={server[field]}
              error={faults.includes(field) && t(`faults.${field}`)}
              onChange={({ currentTarget: { value } }) => {
                setFaults(faults.filter((each) => each !== field));
                setServer((former) => ({ ...former, [field]: value }));
              }}
            />
          ))}
        </div>
      </Form>
    </Section>
  );
}
