// Provisions licenses: for one server, or for the servers of a CSV file; then what came of each.
import { useState } from 'react';
import { Page } from '../../shared/page.tsx';
import { useTexts } from '../../texts/texts.ts';
import { useProvisioning } from './provisioning.ts';
import { RunView } from './run-view.tsx';
import { ServerForm } from './server-form.tsx';
import { FileChoice } from './file-choice.tsx';
import { FileReview } from './file-review.tsx';
import type { ServersFile } from './servers-file.ts';

export function ProvisionPage() {
  const t = useTexts('reseller');
  const { run } = useProvisioning();
  const [file, setFile] = useState<ServersFile | null>(null);
  return (
    <Page title={t('provision.title')} lead={t('provision.lead')}>
      {run !== null ? (
        <RunView run={run} />
      ) : file !== null ? (
        <FileReview file={file} onFile={setFile} onCancel={() => setFile(null)} />
      ) : (
        <>
          <FileChoice onFile={setFile} />
          <ServerForm />
        </>
      )}
    </Page>
  );
}
