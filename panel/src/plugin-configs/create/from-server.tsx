// Takes the settings of a server.
import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { usePages } from '../../api/reading.ts';
import { useWrite } from '../../api/writing.ts';
import { Form } from '../../shared/form.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { useTexts } from '../../texts/texts.ts';
import type { Schemas } from '../../api/operations.ts';
import { pluginsOf, type KindName } from '../kinds.ts';
import { NameField, withoutTaken } from './name-field.tsx';
import { useCreated } from './use-created.ts';

export function FromServer({ kind }: { kind: KindName }) {
  const t = useTexts('plugin-configs');
  const servers = usePages('/api/fleet/instances', {}, { all: true });
  return (
    <Loaded asked={{ ...servers, data: servers.items }} waitingFor={t('apply.servers')}>
      {(items) =>
        items.length === 0 ? (
          <p className="hint">{t('apply.noneDetail')}</p>
        ) : (
          <ServerForm kind={kind} servers={items} />
        )
      }
    </Loaded>
  );
}

interface ServerFormProps {
  kind: KindName;
  servers: readonly Schemas['GameInstance'][];
}

function ServerForm({ kind, servers }: ServerFormProps) {
  const t = useTexts('plugin-configs');
  const [chosen, setChosen] = useState<string | null>(null);
  const [name, setName] = useState<string | null>(null);
  const server = servers.find(({ id }) => id === chosen) ?? servers[0];
  const { onImported } = useCreated();
  const take = useWrite('POST /api/plugin-configs/{kind}/import-from-server', {
    refreshes: ['/api/plugin-configs/{kind}'],
    onDone: onImported,
  });
  const proposed = name ?? (server === undefined ? '' : t('create.fromServerName', { name: server.name }));
  return (
    <Form
      submit={t('create.import')}
      isPending={take.isPending}
      isDisabled={proposed.trim() === '' || server === undefined}
      error={withoutTaken(take.error)}
      fields={['/name']}
      onSubmit={(event) => {
        event.preventDefault();
        if (server === undefined) return;
        take.mutate({
          params: { path: { kind } },
          body: { name: proposed.trim(), instance_id: server.id },
        });
      }}
    >
      <p className="hint">{t('create.fromServerLead', { plugins: pluginsOf(kind).join(', ') })}</p>
      <NativeSelect
        label={t('create.server')}
        value={server?.id ?? ''}
        data={servers.map((each) => ({ value: each.id, label: `${each.name} · ${each.hostname}` }))}
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
      <NameField name={proposed} error={take.error} onName={setName} />
    </Form>
  );
}
