// Exports all data of the license.
import { Section } from '@gantry/ui/section.tsx';
import { client } from '../api/client.ts';
import type { Schemas } from '../api/operations.ts';
import { DownloadButton } from '../shared/download-button.tsx';
import { useTexts } from '../texts/texts.ts';
import { fileNameOf } from './file-name.ts';

/** The last line of a complete export. */
const end = '{"end":true}';

export function DataSection({ license }: { license: Schemas['OwnLicense'] }) {
  const t = useTexts('license');
  return (
    <Section title={t('data.title')} lead={t('data.lead')}>
      <DownloadButton
        file={fileNameOf(license, 'data', 'ndjson')}
        fetch={async () => {
          const { data } = await client.GET('/api/license/export', { parseAs: 'blob' });
          const tail = await data.slice(-end.length - 2).text();
          // It is treated like a connection that broke off, which it is.
          if (!tail.trimEnd().endsWith(end)) throw new TypeError('network error: the export is incomplete');
          return data;
        }}
      >
        {t('data.export')}
      </DownloadButton>
    </Section>
  );
}
