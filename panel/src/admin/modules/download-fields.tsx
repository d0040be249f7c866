// The file that agents download; its checksum and size can be taken from a copy of it.
import { FileButton } from '@gantry/ui/file-button.tsx';
import { Alert, TextInput } from '@mantine/core';
import { Section } from '@gantry/ui/section.tsx';
import { FileCheck2 } from 'lucide-react';
import { useState } from 'react';
import { faultAt } from '../../api/problem.ts';
import { useFormats } from '../../shared/formats.ts';
import { NumberField } from '../../shared/number-field.tsx';
import { useTexts } from '../../texts/texts.ts';
import type { ModuleFieldsProps } from './module-values.ts';

const maxBytes = 4 * 1024 * 1024;

/** Browsers calculate checksums on pages over HTTPS and on this machine only. */
const canHash = window.isSecureContext;

async function sha256Of(file: File): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function DownloadFields({ values, onChange, error, isNew }: ModuleFieldsProps) {
  const t = useTexts('admin-modules');
  const formats = useFormats();
  const [isTooLarge, setIsTooLarge] = useState(false);
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    setIsTooLarge(file.size > maxBytes);
    if (file.size > maxBytes) return;
    onChange({
      sha256: await sha256Of(file),
      bytes: file.size,
      ...(isNew && values.plugin === '' && { plugin: file.name.replace(/\.cs$/i, '') }),
    });
  };
  return (
    <Section
      title={t('download')}
      lead={t(isNew ? 'downloadLead' : 'downloadChangeLead')}
      {...(canHash && {
        aside: (
          <FileButton
            accept=".cs"
            variant="default"
            size="xs"
            leftSection={<FileCheck2 size={15} />}
            onChoose={([file]) => void take(file)}
          >
            {t('takeFromFile')}
          </FileButton>
        ),
      })}
    >
      <div className="stack">
        {isTooLarge && (
          <Alert color="red" role="alert">
            {t('tooLarge', { max: formats.bytes(maxBytes) })}
          </Alert>
        )}
        {isNew && (
          <TextInput
            label={t('fields.plugin')}
            description={t('fields.pluginHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            maxLength={100}
            spellCheck={false}
            autoComplete="off"
            value={values.plugin}
            error={faultAt(error, '/plugin')}
            onChange={(event) => onChange({ plugin: event.currentTarget.value })}
          />
        )}
        <TextInput
          label={t('fields.url')}
          type="url"
          placeholder="https://"
          maxLength={1000}
          value={values.url}
          error={faultAt(error, '/download/url')}
          onChange={(event) => onChange({ url: event.currentTarget.value })}
        />
        <TextInput
          label={t('fields.sha256')}
          classNames={{ input: 'mono' }}
          maxLength={64}
          spellCheck={false}
          autoComplete="off"
          value={values.sha256}
          error={faultAt(error, '/download/sha256')}
          onChange={(event) => onChange({ sha256: event.currentTarget.value })}
        />
        <NumberField
          label={t('fields.bytes')}
          maw={260}
          min={1}
          max={maxBytes}
          isWhole
          value={values.bytes}
          error={faultAt(error, '/download/bytes')}
          onChange={(bytes) => onChange({ bytes })}
        />
      </div>
    </Section>
  );
}
