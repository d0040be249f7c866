// Calls operations of the contract that change something.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { idempotentOperations } from '../../../generated/platform.operations.ts';
import { askForStepUp } from '../session/step-up.ts';
import { client } from './client.ts';
import { intentText, Intents } from './intents.ts';
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

interface AnyInit {
  params?: { header?: object };
}

/** The client makes a key for each call unless there is one. */
function withKey<Init>(init: Init, key: string): Init {
  const { params, ...rest } = (init ?? {}) as AnyInit;
  return { ...rest, params: { ...params, header: { ...params?.header, 'Idempotency-Key': key } } } as Init;
}

interface WorkOptions<Reply> {
  onDone?: (reply: Reply) => void;
  /** After a failure, too: a part may have been done. */
  onEnd?: () => void;
}

/** Like `useWrite`, for what needs several calls or another client. */
export function useWork<Input, Reply>(
  work: (input: Input) => Promise<Reply>,
  { onDone, onEnd }: WorkOptions<Reply> = {},
) {
  const [intents] = useState(() => new Intents());
  return useMutation({
    mutationFn: async (input: Input) => {
      const { reply, isFirst } = await intents.run(intentText(input), () => work(input));
      if (isFirst) onDone?.(reply);
      return reply;
    },
    ...(onEnd !== undefined && { onSettled: onEnd }),
  });
}

/** Each intent of the user is carried out once, however often its button is pressed. */
export function useWrite<Name extends WriteOperation>(
  operation: Name,
  { refreshes = [], onDone }: WriteOptions<Name> = {},
) {
  const queries = useQueryClient();
  const [intents] = useState(() => new Intents());
  return useMutation({
    mutationFn: async (init: WriteInit<Name>) => {
      const { reply, isFirst } = await intents.run(intentText(init), (key) =>
        write(operation, idempotentOperations.has(operation) ? withKey(init, key) : init),
      );
      if (isFirst) {
        for (const path of refreshes) void queries.invalidateQueries({ queryKey: [path] });
        onDone?.(reply, init);
      }
      return reply;
    },
  });
}
