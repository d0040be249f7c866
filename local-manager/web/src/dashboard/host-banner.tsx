// Explains why Windows cannot be queried about the virtual machine, and what helps.
import { Alert, Code } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Schemas } from '../api/client.ts';
import { Icon } from '@gantry/ui/icons.tsx';

type HostState = Schemas['HostStatus']['state'];

const advice: Record<Exclude<HostState, 'ready'>, { title: string; help: ReactNode }> = {
  noPowerShell: {
    title: 'Windows PowerShell is not found',
    help: 'The manager controls Hyper-V through powershell.exe. Start the manager on the Windows host of the virtual machine, or in WSL with interoperability enabled.',
  },
  noPermission: {
    title: 'The manager is not elevated',
    help: 'Hyper-V is available to administrators only. End the manager, open a terminal with “Run as administrator”, and start it there. A WSL terminal must be started from an elevated terminal, too.',
  },
  noHyperV: {
    title: 'Hyper-V is not installed',
    help: 'Turn on “Hyper-V” under Windows Features and restart Windows. Windows Home does not include it.',
  },
  serviceStopped: {
    title: 'The Hyper-V service is not running',
    help: (
      <>
        Start “Hyper-V Virtual Machine Management” under Services, or run <Code>Start-Service vmms</Code> in
        an elevated PowerShell.
      </>
    ),
  },
  noResponse: {
    title: 'Windows does not respond',
    help: 'The manager keeps trying. If this persists, end powershell.exe in Task Manager, or restart the service “Hyper-V Virtual Machine Management”; running virtual machines are not affected.',
  },
  failed: { title: 'Windows cannot be queried', help: 'The self-test under Diagnostics shows details.' },
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
