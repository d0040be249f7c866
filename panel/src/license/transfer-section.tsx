// Takes the configuration to another license: exports chosen parts, and leads to the import.
import { Button, Checkbox, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Upload } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Section } from '@gantry/ui/section.tsx';
import { client } from '../api/client.ts';
import { useMay } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import { DownloadButton } from '../shared/download-button.tsx';
import { useTexts } from '../texts/texts.ts';
import { fileNameOf } from './file-name.ts';
import classes from './license.module.css';
import { parts, type Part } from './parts.ts';

export function TransferSection({ license }: { license: Schemas['OwnLicense'] }) {
  const t = useTexts('license');
  const mayExport = useMay('GET /api/migration/export');
  const mayImport = useMay('POST /api/migration/import') && license.status === 'active';
  const importLink = mayImport && (
    <Button component={Link} to="/license/import" variant="default" leftSection={<Upload size={16} />}>
      {t('transfer.import')}
    </Button>
  );
  return (
    <Section title={t('transfer.title')} lead={t('transfer.lead')}>
      <div className="stack">
        {mayExport && license.status === 'active' ? (
          <ExportForm license={license} others={importLink} />
        ) : (
          importLink
        )}
      </div>
    </Section>
  );
}

interface ExportFormProps {
  license: Schemas['OwnLicense'];
  /** Beside its button. */
  others: ReactNode;
}

function ExportForm({ license, others }: ExportFormProps) {
  const t = useTexts('license');
  const [chosen, setChosen] = useState<readonly Part[]>(parts);
  const isAll = chosen.length === parts.length;
  return (
    <>
      <fieldset className={classes.parts}>
        <legend>{t('transfer.parts')}</legend>
        <Checkbox
          label={t('transfer.all')}
          checked={isAll}
          indeterminate={!isAll && chosen.length > 0}
          onChange={() => setChosen(isAll ? [] : parts)}
        />
        <div className={classes.partList}>
          {parts.map((part) => (
            <Checkbox
              key={part}
              label={t(`parts.${part}`)}
              checked={chosen.includes(part)}
              onChange={(event) => {
                const { checked } = event.currentTarget;
                setChosen(parts.filter((each) => (each === part ? checked : chosen.includes(each))));
              }}
            />
          ))}
        </div>
      </fieldset>
      <Group gap="xs" align="flex-start">
        {chosen.length === 0 ? (
          <p className="hint">{t('transfer.nothing')}</p>
        ) : (
          <DownloadButton
            file={fileNameOf(license, 'configuration', 'json')}
            fetch={async () => {
              const query = isAll ? {} : { parts: chosen.join(',') };
              const { data } = await client.GET('/api/migration/export', {
                params: { query },
                parseAs: 'blob',
              });
              return data;
            }}
          >
            {t('transfer.export')}
          </DownloadButton>
        )}
        {others}
      </Group>
    </>
  );
}
