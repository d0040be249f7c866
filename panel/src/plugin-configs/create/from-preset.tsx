// Begins with a preset, with the plugin's defaults, or with nothing.
import { useState } from 'react';
import type { Schemas } from '../../api/operations.ts';
import { useRead } from '../../api/reading.ts';
import { useWrite } from '../../api/writing.ts';
import { Form } from '../../shared/form.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { useTexts } from '../../texts/texts.ts';
import type { KindName } from '../kinds.ts';
import { Choices } from './choices.tsx';
import { NameField, withoutTaken } from './name-field.tsx';
import { useCreated } from './use-created.ts';

type Preset = Schemas['PluginConfigPreset'];

export function FromPreset({ kind }: { kind: KindName }) {
  const t = useTexts('plugin-configs');
  const params = { path: { kind } };
  const presets = useRead('/api/plugin-configs/{kind}/presets', { params });
  return (
    <Loaded asked={presets} waitingFor={t('create.presets')}>
      {({ data }) => <PresetForm kind={kind} presets={data} />}
    </Loaded>
  );
}

/** Presets have names; these two have none. */
const empty = ' empty';
const defaults = ' defaults';

function PresetForm({ kind, presets }: { kind: KindName; presets: readonly Preset[] }) {
  const t = useTexts('plugin-configs');
  const [chosen, setChosen] = useState(presets[0]?.name ?? empty);
  const [name, setName] = useState<string | null>(null);
  const ofPlugin = useRead(
    '/api/plugin-configs/{kind}/defaults',
    { params: { path: { kind } } },
    { enabled: chosen === defaults },
  );
  const { onCreated } = useCreated();
  const create = useWrite('POST /api/plugin-configs/{kind}', {
    refreshes: ['/api/plugin-configs/{kind}'],
    onDone: onCreated,
  });
  const proposed = name ?? (chosen === empty || chosen === defaults ? '' : chosen);
  const data =
    chosen === empty
      ? {}
      : chosen === defaults
        ? ofPlugin.data?.config_data
        : presets.find((preset) => preset.name === chosen)?.config_data;
  return (
    <Form
      submit={t('create.submit')}
      isPending={create.isPending}
      isDisabled={proposed.trim() === '' || data === undefined}
      error={withoutTaken(create.error ?? ofPlugin.error)}
      fields={['/name']}
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate({
          params: { path: { kind } },
          body: { kind, name: proposed.trim(), config_data: data } as Schemas['PluginConfigCreate'],
        });
      }}
    >
      <Choices
        label={t('create.presets')}
        value={chosen}
        choices={[
          ...presets.map((preset) => ({ value: preset.name, name: preset.name, detail: preset.description })),
          { value: defaults, name: t('create.defaults'), detail: t('create.defaultsDetail') },
          { value: empty, name: t('create.empty'), detail: t('create.emptyDetail') },
        ]}
        onChoose={setChosen}
      />
      <NameField name={proposed} error={create.error} onName={setName} />
    </Form>
  );
}
