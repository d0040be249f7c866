// Starts the virtual machine, and provides the reason of a failed start.
import { api, bodyOf, type Schemas } from '../api/client.ts';
import { problemOf, type OperationProblem, type Problem } from '../api/problem.ts';
import { useAction, type Action } from '../api/queries.ts';
import { useLast, useRunning } from '../operations/operations-context.tsx';

export type StartFailure = Pick<
  Problem | OperationProblem,
  'code' | 'detail' | 'attemptedGB' | 'configuredGB'
>;

export interface VmStart {
  action: Action<Schemas['VmStartRequest'], Schemas['VmStarted']>;
  /** Why the last start failed, while that still holds; it survives a reload of the page. */
  failure: StartFailure | null;
}

export function useVmStart({ vm }: Schemas['Status']): VmStart {
  const action = useAction((body: Schemas['VmStartRequest']) => bodyOf(api.POST('/api/vm/start', { body })));
  const last = useLast('startVm', 'importVm');
  const isStarting = useRunning() !== null || action.isPending;
  const refusal = problemOf(action.error);
  const failure =
    refusal?.startFailed === true ? refusal : last?.problem?.startFailed === true ? last.problem : null;
  return { action, failure: vm.state === 'running' || isStarting ? null : failure };
}
