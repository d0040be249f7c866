// Copies a configuration under another name.
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '@gantry/ui/dialog.tsx';
import type { Schemas } from '../../api/operations.ts';
import { faultAt, hasCode } from '../../api/problem.ts';
import { useWrite } from '../../api/writing.ts';
import { Form } from '../../shared/form.tsx';
import { useTexts } from '../../texts/texts.ts';

interface DuplicateDialogProps {
  config: Schemas['PluginConfigSummary'];
  isDirty: boolean;
  onClose: () => void;
  onDone: (copy: Schemas['PluginConfig']) => void;
}

export function DuplicateDialog({ config, isDirty, onClose, onDone }: DuplicateDialogProps) {
  const t = useTexts('plugin-configs');
  const [name, setName] = useState(t('duplicate.proposal', { name: config.name }));
  const copy = useWrite('POST /api/plugin-configs/{kind}/{plugin_config_id}/duplicate', {
    refreshes: ['/api/plugin-configs/{kind}'],
    onDone,
  });
  const isTaken = hasCode(copy.error, 'name_taken');
  return (
    <Dialog isOpen title={t('duplicate.title', { name: config.name })} onClose={onClose}>
      <div className="dialogForm">
        <Form
          submit={t('menu.duplicate')}
          isPending={copy.isPending}
          isDisabled={name.trim() === ''}
          error={isTaken ? null : copy.error}
          fields={['/name']}
          onSubmit={(event) => {
            event.preventDefault();
            copy.mutate({
              params: { path: { kind: config.kind, plugin_config_id: config.id } },
              body: { name: name.trim() },
            });
          }}
        >
          {isDirty && <p className="hint">{t('duplicate.savedOnly')}</p>}
          <TextInput
            label={t('config.name')}
            value={name}
            maxLength={100}
            data-autofocus
            error={faultAt(copy.error, '/name', 'name_taken')}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        </Form>
      </div>
    </Dialog>
  );
}
