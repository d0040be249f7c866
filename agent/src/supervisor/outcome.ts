// Result of an operation on an instance, in the contract's terms.
import type { CommandResult } from '../messages.ts';
import type { ProcessEnd } from './process-host.ts';

export type Outcome = (
  | {
      isSuccess: true;
      detail: string;
      /** Whether the request was sent to the game server, which does not confirm it. */
      isUnconfirmed?: true;
      /** Whether plugins have loaded what was written for them. Absent when nothing was written. */
      isLoaded?: boolean;
    }
  | { isSuccess: false; errorCode: NonNullable<CommandResult['error_code']>; detail: string }
) & {
  /** The game server's output, when the command asks for it. */
  output?: NonNullable<CommandResult['output']>;
};

export function succeeded(detail: string): Outcome {
  return { isSuccess: true, detail };
}

/** The request was sent to the game server, which gives no confirmation. */
export function unconfirmed(detail: string): Outcome {
  return { isSuccess: true, isUnconfirmed: true, detail };
}

export function failed(errorCode: NonNullable<CommandResult['error_code']>, detail: string): Outcome {
  return { isSuccess: false, errorCode, detail };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Continues a sentence: "The process has ended …". */
export function endText({ exitCode, signal }: ProcessEnd): string {
  if (signal !== null) return ` by ${signal}`;
  return exitCode === null ? '' : ` with exit code ${exitCode}`;
}

export function startFailure(end: ProcessEnd, startedAtMs: number, lastErrorLine: string | null): string {
  const seconds = ((Date.now() - startedAtMs) / 1000).toFixed(1);
  const lastLine = lastErrorLine === null ? '' : ` Its last error line: ${lastErrorLine.slice(0, 500)}`;
  return `The process ended${endText(end)} after ${seconds} s, before it was ready.${lastLine}`;
}
