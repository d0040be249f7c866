// The address that players connect to, and the ports that must be forwarded.
import { List } from '@mantine/core';
import type { Schemas } from '../api/client.ts';
import { useVisibility } from '../api/queries.ts';
import { Facts } from '@gantry/ui/facts.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { PageHead } from '@gantry/ui/page-head.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { StateText } from '@gantry/ui/state-text.tsx';
import { AddressForm } from './address-form.tsx';
import { OtherPrivateAddress } from './other-private-address.tsx';
import { MovedAddress } from './moved-address.tsx';
import { PortCheck } from './port-check.tsx';
import { PortTable } from './port-table.tsx';
import { RestartGuide } from './restart-guide.tsx';

export function Visibility() {
  const visibility = useVisibility();
  return (
    <div className="stack">
      <PageHead title="Visibility">
        Players find the server at one address, which is published each time the battlegroup starts.
      </PageHead>
      <Loaded asked={visibility} waitingFor="the advertised address">
        {(data) => (
          <>
            <MovedAddress visibility={data} />
            <OtherPrivateAddress visibility={data} />
            <RestartGuide visibility={data} />
            <div className="columns">
              <Addresses visibility={data} />
              <Section
                title="Change the address"
                lead="Changes only this line of settings.conf and keeps a copy of the previous file. Nothing is restarted."
              >
                <AddressForm visibility={data} />
              </Section>
            </div>
            <PortTable target={data.portForwardTarget} ports={data.portForward} isNeeded={data.isWan} />
            <PortCheck />
            {data.hints.length > 0 && <Hints hints={data.hints} />}
          </>
        )}
      </Loaded>
    </div>
  );
}

function Addresses({ visibility }: { visibility: Schemas['ServerVisibility'] }) {
  const { advertisedIp, registeredIp, vmIp, directorPort, isInEffect, addressMode } = visibility;
  return (
    <Section
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
          ['Reach', reachOf(visibility)],
          ['Director port', directorPort],
          ['Package mode', addressMode],
        ]}
      />
      {addressMode === 'public' && (
        <p className="hint">
          The package detects its public address at each start and may overwrite this setting.
        </p>
      )}
    </Section>
  );
}

function reachOf(visibility: Schemas['ServerVisibility']): string {
  if (visibility.isOtherPrivate) return 'Through another private address only';
  return visibility.isWan ? 'From the internet' : 'This network only';
}

function Hints({ hints }: { hints: readonly string[] }) {
  return (
    <Section title="Notes">
      <List spacing={6}>
        {hints.map((hint) => (
          <List.Item key={hint}>{hint}</List.Item>
        ))}
      </List>
    </Section>
  );
}
