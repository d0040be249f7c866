// Sets the address of the virtual machine, and the one that players join at.
import { Button, NumberInput, Radio, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api, bodyOf, type Schemas } from '../api/client.ts';
import { useAction, useStatus } from '../api/queries.ts';
import { playersOn, PlayersHit } from '../dashboard/players-hit.tsx';
import { OperationOutcome } from '../operations/operation-outcome.tsx';
import { useRunning } from '../operations/operations-context.tsx';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { faultAt } from '../shared/faults.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { WaitsFor } from '../shared/waits-for.tsx';
import { PublicAddress } from '../visibility/public-address.tsx';

export function NetworkStep() {
  const running = useRunning();
  const [isStatic, setIsStatic] = useState(false);
  const [staticIp, setStaticIp] = useState('');
  const [prefixLength, setPrefixLength] = useState(24);
  const [gateway, setGateway] = useState('');
  const [nameServers, setNameServers] = useState('');
  const [playerIp, setPlayerIp] = useState('');
  const set = useAction((body: Schemas['NetworkRequest']) =>
    bodyOf(api.POST('/api/setup/network', { body })),
  );
  const status = useStatus();
  const [isAsking, setIsAsking] = useState(false);
  const battlegroup = status.data?.battlegroup ?? null;
  const isPlayedOn = battlegroup !== null && !battlegroup.isStopped;
  const staticDns = nameServers.split(/[\s,]+/).filter(Boolean);
  const submit = () =>
    set.mutate({
      mode: isStatic ? 'static' : 'dhcp',
      ...(isStatic && {
        staticIp: staticIp.trim(),
        staticPrefixLength: prefixLength,
        staticGateway: gateway.trim(),
        ...(staticDns.length > 0 && { staticDns }),
      }),
      ...(playerIp.trim() !== '' && { playerIp: playerIp.trim() }),
    });
  return (
    <div className="stack">
      <OperationOutcome kinds={['setUpNetwork']}>
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            if (isPlayedOn) setIsAsking(true);
            else submit();
          }}
        >
          <Radio.Group
            label="Address of the virtual machine"
            value={isStatic ? 'static' : 'dhcp'}
            onChange={(mode) => setIsStatic(mode === 'static')}
          >
            <Stack gap="sm" mt="xs">
              <Radio
                value="dhcp"
                label="From the router"
                description="Reserve the address on your router; otherwise port forwarding breaks when the address changes."
              />
              <Radio
                value="static"
                label="Fixed"
                description="Use one that the router assigns to no other device."
              />
            </Stack>
          </Radio.Group>
          {isStatic && (
            <div className="fields">
              <TextInput
                label="IPv4 address"
                required
                maxLength={15}
                placeholder="192.168.1.50"
                value={staticIp}
                onChange={({ currentTarget }) => setStaticIp(currentTarget.value)}
                error={faultAt(set.error, '/staticIp')}
              />
              <NumberInput
                label="Prefix length"
                description="24 is the subnet mask 255.255.255.0"
                required
                min={8}
                max={30}
                allowDecimal={false}
                value={prefixLength}
                onChange={(value) => setPrefixLength(Number(value))}
                error={faultAt(set.error, '/staticPrefixLength')}
              />
              <TextInput
                label="Router"
                required
                maxLength={15}
                placeholder="192.168.1.1"
                value={gateway}
                onChange={({ currentTarget }) => setGateway(currentTarget.value)}
                error={faultAt(set.error, '/staticGateway')}
              />
              <TextInput
                label="DNS servers"
                description="Up to three; by default the router."
                placeholder="192.168.1.1, 1.1.1.1"
                value={nameServers}
                onChange={({ currentTarget }) => setNameServers(currentTarget.value)}
                error={faultAt(set.error, '/staticDns')}
              />
            </div>
          )}
          <div>
            <TextInput
              maw={420}
              label="Address that players join at"
              description="Your public address, for players from the internet. Leave it empty to keep the present one."
              maxLength={15}
              placeholder="203.0.113.7"
              value={playerIp}
              onChange={({ currentTarget }) => setPlayerIp(currentTarget.value)}
              error={faultAt(set.error, '/playerIp')}
            />
            <PublicAddress
              onFound={(address) => {
                setPlayerIp(address);
                set.reset();
              }}
            />
          </div>
          <div>
            <Button type="submit" disabled={running !== null} loading={set.isPending}>
              Set up the network
            </Button>
          </div>
          <WaitsFor />
          <ProblemAlert error={set.error} />
        </form>
      </OperationOutcome>
      <ConfirmDialog
        isOpen={isAsking}
        title="Restart the network of the virtual machine?"
        action="Set up the network"
        isDangerous
        onConfirm={submit}
        onClose={() => setIsAsking(false)}
      >
        <p>
          Its connections are dropped. If it does not respond at the new address within 90 seconds, it returns
          to the old one.
        </p>
        <PlayersHit players={playersOn(battlegroup)} />
      </ConfirmDialog>
    </div>
  );
}
