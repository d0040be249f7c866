// Calls operations of the contract that change something.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { askForStepUp } from '../session/step-up.ts';
import { client } from './client.ts';
import type { ReadPath, WriteInit, WriteOperation, WriteReply } from './operations.ts';
import { hasCode } from './problem.ts';

type Write = (path: string, init?: object) => Promise<{ data: unknown; response: Response }>;

/** Calls an operation; if it requires a step-up, asks for it and calls again. */
export async function write<Name extends WriteOperation>(
  operation: Name,
  init: WriteInit<Name>,
): Promise<WriteReply<Name>> {
  const [method = '', path = ''] = operation.split(' ');
  const call = (client as unknown as Record<string, Write>)[method];
  if (call === undefined) throw new Error(`no method ${method}`);
  try {
    return (await call(path, init)).data as WriteReply<Name>;
  } catch (error) {
    if (!hasCode(error, 'step_up_required')) throw error;
    await askForStepUp();
    return (await call(path, init)).data as WriteReply<Name>;
  }
}

interface WriteOptions<Name extends WriteOperation> {
  /** Paths whose data the operation changes; they are read again. */
  refreshes?: readonly ReadPath[];
  onDone?: (reply: WriteReply<Name>, init: WriteInit<Name>) => void;
}

export function useWrite<Name extends WriteOperation>(
  operation: Name,
  { refreshes = [], onDone }: WriteOptions<Name> = {},
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (init: WriteInit<Name>) => write(operation, init),
    onSuccess: (reply, init) => {
      for (const path of refreshes) void queries.invalidateQueries({ queryKey: [path] });
      onDone?.(reply, init);
    },
  });
}
