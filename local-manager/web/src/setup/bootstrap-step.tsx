// Creates the world.
import { api, bodyOf } from '../api/client.ts';
import { useAction } from '../api/queries.ts';
import { OperationOutcome } from '../operations/operation-outcome.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { WorldForm, type World } from './world-form.tsx';

export function BootstrapStep() {
  const bootstrap = useAction((world: World) => bodyOf(api.POST('/api/setup/bootstrap', { body: world })));
  return (
    <div className="stack">
      <OperationOutcome kinds={['bootstrap', 'repair']}>
        <WorldForm
          action="Create the world"
          error={bootstrap.error}
          isPending={bootstrap.isPending}
          onSubmit={(world) => bootstrap.mutate(world)}
        />
        <ProblemAlert error={bootstrap.error} />
      </OperationOutcome>
    </div>
  );
}
