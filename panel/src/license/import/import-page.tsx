// Imports a configuration: the file, what to do with each part, a check that changes nothing, and then the import.
import { Alert, Button, Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { Section } from '@gantry/ui/section.tsx';
import type { Schemas } from '../../api/operations.ts';
import { useWrite } from '../../api/writing.ts';
import { BackLink } from '../../shared/back-link.tsx';
import { Page } from '../../shared/page.tsx';
import { ProblemAlert } from '../../shared/problem-alert.tsx';
import { UnsavedGuard } from '../../shared/unsaved-guard.tsx';
import { useTexts } from '../../texts/texts.ts';
import { requestBodies, type ConfigurationFile, type Mode } from './document.ts';
import { FileChoice } from './file-choice.tsx';
import { InstanceMap } from './instance-map.tsx';
import { PartModes } from './part-modes.tsx';
import { Report } from './report.tsx';

export function ImportPage() {
  const t = useTexts('license');
  const [file, setFile] = useState<ConfigurationFile | null>(null);
  // A number, so that choosing the same file again begins again.
  const [attempt, setAttempt] = useState(0);
  return (
    <Page
      title={t('import.title')}
      lead={t('import.lead')}
      above={<BackLink to="/license">{t('title')}</BackLink>}
      width="narrow"
    >
      <Section title={t('import.file')}>
        <FileChoice
          file={file}
          onFile={(next) => {
            setFile(next);
            setAttempt(attempt + 1);
          }}
        />
      </Section>
      {file !== null && <Steps key={attempt} file={file} />}
    </Page>
  );
}

function Steps({ file }: { file: ConfigurationFile }) {
  const t = useTexts('license');
  const queries = useQueryClient();
  const [bodyOf] = useState(() => requestBodies(file));
  const [modes, setModes] = useState<Readonly<Record<string, Mode>>>({});
  const [instanceMap, setInstanceMap] = useState<Schemas['InstanceMapping'][]>([]);
  const [isAsking, setIsAsking] = useState(false);
  const check = useWrite('POST /api/migration/import');
  const run = useWrite('POST /api/migration/import', {
    // It may change anything.
    onDone: () => void queries.invalidateQueries(),
  });
  const bodyFor = (isDryRun: boolean) => ({ body: bodyOf({ isDryRun, modes, instanceMap }) });
  const done = run.data;
  if (done !== undefined)
    return (
      <Section title={t('import.doneTitle')}>
        <Alert color="green" role="status" mb="md">
          {t('import.done')}
        </Alert>
        <Report report={done} />
      </Section>
    );
  const checked = check.data;
  const changes = checked === undefined ? 0 : changesIn(checked);
  const isReady = checked?.faults.length === 0;
  return (
    <>
      <UnsavedGuard isUnsaved />
      <Section title={t('import.partsTitle')} lead={t('import.partsLead')}>
        <PartModes
          parts={file.parts}
          modes={modes}
          onModes={(next) => {
            setModes(next);
            check.reset();
          }}
        />
      </Section>
      <InstanceMap
        instances={file.instances}
        map={instanceMap}
        onMap={(next) => {
          setInstanceMap(next);
          check.reset();
        }}
      />
      <Section title={t('import.check')} lead={t('import.checkLead')}>
        {checked !== undefined && <Report report={checked} />}
        <ProblemAlert error={check.error} />
        <Group gap="xs" mt={checked === undefined && check.error === null ? 0 : 'md'}>
          <Button
            variant={isReady ? 'default' : 'filled'}
            loading={check.isPending}
            onClick={() => check.mutate(bodyFor(true))}
          >
            {checked === undefined ? t('import.runCheck') : t('import.checkAgain')}
          </Button>
          {isReady && changes > 0 && (
            <Button onClick={() => setIsAsking(true)}>{t('import.run', { count: changes })}</Button>
          )}
        </Group>
      </Section>
      <ConfirmDialog
        isOpen={isAsking}
        title={t('import.confirmTitle')}
        action={t('import.confirm')}
        isPending={run.isPending}
        problem={<ProblemAlert error={run.error} />}
        onConfirm={() => run.mutate(bodyFor(false))}
        onClose={() => setIsAsking(false)}
      >
        {t('import.confirmDetail', { count: changes })}
      </ConfirmDialog>
    </>
  );
}

const changesIn = ({ parts }: Schemas['MigrationReport']): number =>
  parts.reduce((sum, { created, updated }) => sum + created + updated, 0);
