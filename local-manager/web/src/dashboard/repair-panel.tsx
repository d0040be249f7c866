// Resumes an interrupted bootstrap.
import { api, bodyOf } from '../api/client.ts';
import { useAction } from '../api/queries.ts';
import { OperationOutcome } from '../operations/operation-outcome.tsx';
import { WorldForm, type World } from '../setup/world-form.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';

export function RepairPanel() {
  const repair = useAction((world: World) => bodyOf(api.POST('/api/setup/repair', { body: world })));
  return (
    <Section
      title="Repair the setup"
      tone="warning"
      lead="The virtual machine exists, but its bootstrap did not finish. The repair deletes what it left behind and runs it again. This takes between a few minutes and an hour."
    >
      <OperationOutcome kinds={['repair', 'bootstrap']}>
        <WorldForm
          action="Repair"
          error={repair.error}
          isPending={repair.isPending}
          onSubmit={(world) => repair.mutate(world)}
        />
        <ProblemAlert error={repair.error} />
      </OperationOutcome>
    </Section>
  );
}
