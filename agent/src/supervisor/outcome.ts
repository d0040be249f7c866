// How an operation on an instance ended, in the contract's words.
import type { CommandResult } from '../messages.ts';
import type { ProcessEnd } from './process-host.ts';

export type Outcome = (
  | {
      isSuccess: true;
      detail: string;
      /** Whether the game server was sent it and does not confirm it. */
      isUnconfirmed?: true;
      /** Whether plugins have loaded what was written for them; left out where nothing was. */
      isLoaded?: boolean;
    }
  | { isSuccess: false; errorCode: NonNullable<CommandResult['error_code']>; detail: string }
) & {
  /** What the game server printed, where the command wants that. */
  output?: NonNullable<CommandResult['output']>;
};

export function succeeded(detail: string): Outcome {
  return { isSuccess: true, detail };
}

/** The game server was sent what was asked for; nothing tells what it made of it. */
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
export function endInWords({ exitCode, signal }: ProcessEnd): string {
  if (signal !== null) return ` by ${signal}`;
  return exitCode === null ? '' : ` with exit code ${exitCode}`;
}

export function startFailure(end: ProcessEnd, startedAtMs: number, lastErrorLine: string | null): string {
  const seconds = ((Date.now() - startedAtMs) / 1000).toFixed(1);
  const lastLine = lastErrorLine === null ? '' : ` Its last error line: ${lastErrorLine.slice(0, 500)}`;
  return `The process ended${endInWords(end)} after ${seconds} s, before it was ready.${lastLine}`;
}
