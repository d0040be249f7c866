// Whether the servers have the saved settings, and the button that deploys them.
import { Button } from '@mantine/core';
import { api, bodyOf, type Schemas } from '../api/client.ts';
import { useAction } from '../api/queries.ts';
import { OperationOutcome } from '../operations/operation-outcome.tsx';
import { useRunning } from '../operations/operations-context.tsx';
import { Icon } from '@gantry/ui/icons.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { StateText, type Tone } from '@gantry/ui/state-text.tsx';

const drifts: Record<Schemas['GameConfig']['drift'], { tone: Tone; words: string; lead: string }> = {
  none: {
    tone: 'good',
    words: 'The servers have the saved settings',
    lead: 'They read them when they start.',
  },
  differs: {
    tone: 'busy',
    words: 'The servers have other settings',
    lead: 'Apply the saved settings; the servers read them at their next start. No players are disconnected.',
  },
  unknown: {
    tone: 'idle',
    words: 'The servers’ settings are unknown',
    lead: 'Their files can’t be read now.',
  },
};

export function DriftPanel({ config: { drift, driftDetail } }: { config: Schemas['GameConfig'] }) {
  const running = useRunning();
  const deploy = useAction(() => bodyOf(api.POST('/api/game-config/deploy')));
  const { tone, words, lead } = drifts[drift];
  return (
    <Section
      title="On the servers"
      aside={<StateText tone={tone}>{words}</StateText>}
      lead={driftDetail === null ? lead : `${driftDetail} ${lead}`}
      {...(drift === 'differs' && { tone: 'warning' as const })}
    >
      <div className="stack">
        <OperationOutcome kinds={['deployGameConfig']} />
        <div>
          <Button
            variant={drift === 'differs' ? 'filled' : 'default'}
            disabled={running !== null}
            loading={deploy.isPending}
            onClick={() => deploy.mutate()}
            leftSection={<Icon name="download" size={16} />}
          >
            Apply to the servers
          </Button>
        </div>
        <ProblemAlert error={deploy.error} />
      </div>
    </Section>
  );
}
