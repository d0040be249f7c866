// The wizard: from nothing to a battlegroup, resuming at the next step.
import { Button } from '@mantine/core';
import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import type { Schemas } from '../api/client.ts';
import { useSetup, useStatus } from '../api/queries.ts';
import { HostBanner } from '../dashboard/host-banner.tsx';
import { KeyBanner } from '../dashboard/key-banner.tsx';
import { RepairPanel } from '../dashboard/repair-panel.tsx';
import { RetryStartPanel } from '../dashboard/retry-start-panel.tsx';
import { useVmStart } from '../dashboard/use-vm-start.ts';
import { Icon } from '@gantry/ui/icons.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { PageHead } from '@gantry/ui/page-head.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { WaitsFor } from '../shared/waits-for.tsx';
import { BootstrapStep } from './bootstrap-step.tsx';
import { ImportStep } from './import-step.tsx';
import { NetworkStep } from './network-step.tsx';
import { PreflightStep } from './preflight-step.tsx';
import { ResetPanel } from './reset-panel.tsx';
import { SecurityStep } from './security-step.tsx';
import { StepList } from './step-list.tsx';
import classes from './setup.module.css';
import { stepTitles } from './steps.ts';

type StepName = Schemas['SetupStepName'];

const leads: Record<StepName, string> = {
  preflight: 'Checks whether this host meets the requirements. Nothing is changed.',
  import:
    'The vendor’s virtual machine is copied to a drive, connected and started. 20 GB of memory are enough for one map, 40 GB for all maps.',
  security: 'Everyone who has the package knows the vendor’s password and key. Replace both.',
  network: 'Sets the address of the virtual machine, and the address that players join at.',
  bootstrap: 'Downloads the game and creates your world. This takes between a few minutes and an hour.',
};

const forms: Record<StepName, () => ReactNode> = {
  preflight: () => <PreflightStep />,
  import: () => <ImportStep />,
  security: () => <SecurityStep />,
  network: () => <NetworkStep />,
  bootstrap: () => <BootstrapStep />,
};

export function Setup({ rest: [wanted] }: { rest: string[] }) {
  const setup = useSetup();
  const status = useStatus();
  return (
    <div className="stack">
      <PageHead title="Setup">
        You can leave at any step and continue later: the setup checks what exists each time. An existing
        virtual machine is used unchanged.
      </PageHead>
      <Loaded asked={setup} waitingFor="the setup’s progress">
        {(progress) => (
          <>
            {status.data !== undefined && <Obstacles status={status.data} progress={progress} />}
            <Wizard progress={progress} wanted={wanted} />
          </>
        )}
      </Loaded>
      {status.data !== undefined && <ResetPanel vm={status.data.vm} />}
    </div>
  );
}

/** Conditions that block every step. */
function Obstacles({ status, progress }: { status: Schemas['Status']; progress: Schemas['SetupProgress'] }) {
  const start = useVmStart(status);
  const isThere = status.vm.state !== 'missing' && status.vm.state !== 'unknown';
  const isOff = status.vm.state === 'off' || status.vm.state === 'saved';
  const isImported = progress.steps.some(({ name, state }) => name === 'import' && state === 'done');
  return (
    <>
      <HostBanner host={status.host} />
      {isThere && isImported && <KeyBanner ssh={status.ssh} />}
      <RetryStartPanel vm={status.vm} start={start} />
      {isOff && isImported && start.failure === null && !progress.isComplete && (
        <Section title="The virtual machine is off" lead="The next steps run inside it.">
          <Button
            loading={start.action.isPending}
            onClick={() => start.action.mutate({})}
            leftSection={<Icon name="play" size={16} />}
          >
            Start VM
          </Button>
          <WaitsFor />
          <ProblemAlert error={start.action.error} />
        </Section>
      )}
      {progress.needsRepair && <RepairPanel />}
    </>
  );
}

function Wizard({ progress, wanted }: { progress: Schemas['SetupProgress']; wanted: string | undefined }) {
  const { steps, nextStep, isComplete, needsRepair } = progress;
  useGoingOn(nextStep);
  const next = steps.findIndex(({ name }) => name === nextStep);
  const isReachable = (index: number) => isComplete || index <= next || steps[index]?.state === 'done';
  const chosen = steps.findIndex(({ name }, index) => name === wanted && isReachable(index));
  const shown = steps[chosen === -1 ? next : chosen];
  const step = useRef<HTMLDivElement>(null);
  useStepFocus(step, shown?.name ?? 'none');
  return (
    <div className={classes.wizard}>
      <StepList steps={steps} shown={shown?.name ?? null} isReachable={isReachable} />
      <div className="stack" ref={step}>
        {isComplete && shown === undefined && <Complete steps={steps} />}
        {!isComplete && shown === undefined && (
          <Section
            title="The progress of the setup is unknown"
            lead="There may already be a world. The setup checks as soon as Windows responds and the virtual machine can be reached."
          />
        )}
        {shown !== undefined && !(needsRepair && shown.name === 'bootstrap') && (
          <Section key={shown.name} title={stepTitles[shown.name]} lead={leads[shown.name]}>
            {forms[shown.name]()}
          </Section>
        )}
      </div>
    </div>
  );
}

/** A user who went back to a step is moved forward once another step is next. */
function useGoingOn(nextStep: StepName | null): void {
  const known = useRef(nextStep);
  useEffect(() => {
    if (known.current !== nextStep) window.location.hash = '#/setup';
    known.current = nextStep;
  }, [nextStep]);
}

/** Moving to another step puts the focus on its title. */
function useStepFocus(step: RefObject<HTMLDivElement | null>, shown: string): void {
  const before = useRef(shown);
  useEffect(() => {
    if (before.current === shown) return;
    before.current = shown;
    const { activeElement } = document;
    if (activeElement === document.body || step.current?.contains(activeElement) === true)
      step.current?.querySelector<HTMLElement>('h2')?.focus();
  }, [step, shown]);
}

function Complete({ steps }: { steps: readonly Schemas['SetupStep'][] }) {
  const isLocked = steps.some(({ name, state }) => name === 'security' && state === 'done');
  return (
    <Section
      title={
        isLocked ? 'Everything is set up' : 'The world exists, but its virtual machine may not be locked'
      }
      lead={
        isLocked
          ? 'The battlegroup exists but is stopped: start it on the dashboard. For players from the internet, set the public address and forward the ports.'
          : 'It was set up elsewhere, and may still have the vendor’s password and key, which everyone who has the package knows.'
      }
    >
      <div className="actions">
        {!isLocked && (
          <Button component="a" href="#/setup/security">
            {stepTitles.security}
          </Button>
        )}
        <Button component="a" href="#/" variant={isLocked ? 'filled' : 'default'}>
          To the dashboard
        </Button>
        <Button component="a" href="#/visibility" variant="default">
          Address and ports
        </Button>
      </div>
    </Section>
  );
}
