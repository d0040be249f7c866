// The one line that installs the agent, with a code that enrolls one host, and how long the code is still valid.
import { Alert, Button, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { CopyField } from '@gantry/ui/copy-field.tsx';
import { useNow } from '@gantry/ui/use-now.ts';
import { useMay } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import { useWrite } from '../api/writing.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useTexts } from '../texts/texts.ts';
import classes from './add-host-page.module.css';

type System = keyof Schemas['EnrolmentCommands'];

export function InstallCommand() {
  const t = useTexts('hosts');
  const mayCreate = useMay('POST /api/fleet/enrolment-codes');
  const create = useWrite('POST /api/fleet/enrolment-codes');
  const now = useNow(true, 1_000);
  const created = create.data;
  const leftSeconds = created === undefined ? 0 : Math.ceil((Date.parse(created.expires_at) - now) / 1_000);
  if (!mayCreate) return <Alert color="yellow">{t('addPage.install.noRight')}</Alert>;
  return (
    <>
      {created !== undefined && leftSeconds > 0 ? (
        <InstallLine code={created} leftSeconds={leftSeconds} onAgain={() => create.mutate({})} />
      ) : (
        <>
          <p className={classes.missing}>
            {t(created === undefined ? 'addPage.install.code' : 'addPage.install.expired')}
          </p>
          <Button loading={create.isPending} onClick={() => create.mutate({})}>
            {t('addPage.install.create')}
          </Button>
        </>
      )}
      <ProblemAlert error={create.error} />
    </>
  );
}

interface InstallLineProps {
  code: Schemas['EnrolmentCode'];
  leftSeconds: number;
  onAgain: () => void;
}

function InstallLine({ code, leftSeconds, onAgain }: InstallLineProps) {
  const t = useTexts('hosts');
  const [system, setSystem] = useState<System>('linux');
  if (code.agent_version === null)
    return (
      <Alert color="yellow" title={t('addPage.install.noRelease.title')}>
        <p className="sentence">{t('addPage.install.noRelease.detail')}</p>
        <Button size="xs" variant="default" onClick={onAgain}>
          {t('addPage.install.noRelease.again')}
        </Button>
      </Alert>
    );
  const left = `${Math.floor(leftSeconds / 60)}:${String(leftSeconds % 60).padStart(2, '0')}`;
  return (
    <>
      <SegmentedControl
        className={classes.systems ?? ''}
        aria-label={t('addPage.install.system')}
        value={system}
        data={[
          { value: 'linux', label: 'Linux' },
          { value: 'windows', label: 'Windows' },
        ]}
        onChange={(value) => setSystem(value === 'windows' ? 'windows' : 'linux')}
      />
      <CopyField
        value={code.commands[system]}
        label={t('addPage.command.label')}
        action={t('addPage.command.copy')}
      />
      <p className={classes.secret}>
        {t(system === 'linux' ? 'addPage.install.asRoot' : 'addPage.install.asAdministrator')}{' '}
        {t('addPage.install.left', { left, version: code.agent_version })}
      </p>
    </>
  );
}
