// The address that players connect to, and the ports that must be forwarded.
import { List } from '@mantine/core';
import type { Schemas } from '../api/client.ts';
import { useVisibility } from '../api/queries.ts';
import { Facts } from '../shared/facts.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { PageHead } from '../shared/page-head.tsx';
import { Panel } from '../shared/panel.tsx';
import { StateText } from '../shared/state-text.tsx';
import { AddressForm } from './address-form.tsx';
import { PortTable } from './port-table.tsx';
import { RestartGuide } from './restart-guide.tsx';

export function Visibility() {
  const visibility = useVisibility();
  return (
    <div className="stack">
      <PageHead title="Visibility">
        Players find the server at one address. It is published when the battlegroup starts, and only then.
      </PageHead>
      <Loaded asked={visibility} waitingFor="the advertised address">
        {(data) => (
          <>
            <RestartGuide visibility={data} />
            <div className="columns">
              <Addresses visibility={data} />
              <Panel
                title="Change the address"
                lead="Only that line of settings.conf is changed; the previous file is kept. Nothing is restarted by this."
              >
                <AddressForm visibility={data} />
              </Panel>
            </div>
            <PortTable target={data.portForwardTarget} ports={data.portForward} isNeeded={data.isWan} />
            {data.hints.length > 0 && <Hints hints={data.hints} />}
          </>
        )}
      </Loaded>
    </div>
  );
}

function Addresses({ visibility }: { visibility: Schemas['ServerVisibility'] }) {
  const { advertisedIp, registeredIp, vmIp, directorPort, isWan, isInEffect, addressMode } = visibility;
  return (
    <Panel
      title="Addresses"
      aside={
        isInEffect === null ? (
          <StateText tone="idle">Unknown whether in effect</StateText>
        ) : (
          <StateText tone={isInEffect ? 'good' : 'busy'}>
            {isInEffect ? 'In effect' : 'Not in effect yet'}
          </StateText>
        )
      }
    >
      <Facts
        facts={[
          ['Advertised', advertisedIp ?? 'the private address'],
          ['Registered now', registeredIp],
          ['Virtual machine', vmIp],
          ['Reach', isWan ? 'Beyond this network' : 'This network only'],
          ['Director’s port', directorPort],
          ['Mode of the package', addressMode],
        ]}
      />
      {addressMode === 'public' && (
        <p className="hint">
          The package detects its public address with each start and may replace what is written here.
        </p>
      )}
    </Panel>
  );
}

function Hints({ hints }: { hints: readonly string[] }) {
  return (
    <Panel title="Good to know">
      <List spacing={6}>
        {hints.map((hint) => (
          <List.Item key={hint}>{hint}</List.Item>
        ))}
      </List>
    </Panel>
  );
}
