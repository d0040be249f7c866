// The state of the machine and its battlegroup, with their actions.
import type { Schemas } from '../api/client.ts';
import { useStatus } from '../api/queries.ts';
import { ResetPanel } from '../setup/reset-panel.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { PageHead } from '@gantry/ui/page-head.tsx';
import { BattlegroupPanel } from './battlegroup-panel.tsx';
import { HostBanner } from './host-banner.tsx';
import { KeyBanner } from './key-banner.tsx';
import { LinksPanel } from './links-panel.tsx';
import { MapsPanel } from './maps-panel.tsx';
import { RepairPanel } from './repair-panel.tsx';
import { RetryStartPanel } from './retry-start-panel.tsx';
import { TurnOffPanel } from './turn-off-panel.tsx';
import { UpdateBanner } from './update-banner.tsx';
import { useVmStart } from './use-vm-start.ts';
import { VmPanel } from './vm-panel.tsx';
import { WelcomePanel } from './welcome-panel.tsx';

export function Dashboard() {
  const status = useStatus();
  return (
    <div className="stack">
      <PageHead title="Dashboard" />
      <UpdateBanner />
      <Loaded asked={status} waitingFor="the status">
        {(data) => <Machine status={data} />}
      </Loaded>
    </div>
  );
}

function Machine({ status }: { status: Schemas['Status'] }) {
  const start = useVmStart(status);
  const { vm, cluster, battlegroup } = status;
  const isLastKnown = vm.state === 'unknown' && vm.observedAt !== null;
  const isThere = isLastKnown || (vm.state !== 'missing' && vm.state !== 'unknown');
  return (
    <>
      <HostBanner host={status.host} />
      {isThere && <KeyBanner ssh={status.ssh} />}
      <RetryStartPanel vm={vm} start={start} />
      <TurnOffPanel status={status} />
      {cluster.state === 'incomplete' && <RepairPanel />}
      {vm.state === 'missing' && <WelcomePanel />}
      {isThere && (
        <div className="columns">
          <VmPanel status={status} start={start} />
          <BattlegroupPanel status={status} />
        </div>
      )}
      {battlegroup !== null && <MapsPanel maps={battlegroup.maps} />}
      {isThere && <LinksPanel links={status.links} />}
      <ResetPanel vm={vm} />
    </>
  );
}
