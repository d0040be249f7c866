// Explains why Windows cannot be queried about the virtual machine, and what helps.
import { Alert, Code } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Schemas } from '../api/client.ts';
import { Icon } from '@gantry/ui/icons.tsx';

type HostState = Schemas['HostStatus']['state'];

const advice: Record<Exclude<HostState, 'ready'>, { title: string; help: ReactNode }> = {
  noPowerShell: {
    title: 'Windows PowerShell is not found',
    help: 'The manager works Hyper-V through powershell.exe. Start it on the Windows host that has the virtual machine, or from WSL with interoperability switched on.',
  },
  noPermission: {
    title: 'The manager is not elevated',
    help: 'Hyper-V is available to administrators only. End the manager, open a terminal with “Run as administrator”, and start it there. A terminal of WSL has to be opened from an elevated one too.',
  },
  noHyperV: {
    title: 'Hyper-V is not there',
    help: 'Switch on “Hyper-V” under Windows Features and restart Windows. Home editions of Windows do not have it.',
  },
  serviceStopped: {
    title: 'The service of Hyper-V does not run',
    help: (
      <>
        Start “Hyper-V Virtual Machine Management” under Services, or run <Code>Start-Service vmms</Code> in
        an elevated PowerShell.
      </>
    ),
  },
  noResponse: {
    title: 'Windows does not respond',
    help: 'The manager keeps asking. If it lasts, end powershell.exe in the Task Manager, or restart the service “Hyper-V Virtual Machine Management”: running virtual machines are not affected by that.',
  },
  failed: { title: 'Windows can’t be asked', help: 'The self-test under Diagnostics shows details.' },
};

export function HostBanner({ host: { state, detail } }: { host: Schemas['HostStatus'] }) {
  if (state === 'ready') return null;
  const { title, help } = advice[state];
  return (
    <Alert color="red" role="alert" icon={<Icon name="warning" />} title={title}>
      {detail !== null && <p className="sentence">{detail}</p>}
      <p className="sentence">{help}</p>
    </Alert>
  );
}
