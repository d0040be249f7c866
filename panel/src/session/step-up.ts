// Asks the user to confirm their identity, once for all requests that need it at the same time.
import { useSyncExternalStore } from 'react';

interface Question {
  confirmed: () => void;
  refused: (reason: Error) => void;
}

/** The user closed the dialog: the action did not happen, and that is no failure. */
export class StepUpDeclined extends Error {
  override readonly name = 'StepUpDeclined';
}

let questions: readonly Question[] = [];
const listeners = new Set<() => void>();

function setQuestions(next: readonly Question[]): void {
  questions = next;
  for (const listener of listeners) listener();
}

/** Resolves once the user has confirmed their identity; rejects with StepUpDeclined if they close the dialog. */
export const askForStepUp = (): Promise<void> =>
  new Promise((confirmed, refused) => setQuestions([...questions, { confirmed, refused }]));

export function endStepUp(isConfirmed: boolean): void {
  const ended = questions;
  setQuestions([]);
  for (const { confirmed, refused } of ended) {
    if (isConfirmed) confirmed();
    else refused(new StepUpDeclined('the identity was not confirmed'));
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useIsStepUpWanted = (): boolean => useSyncExternalStore(subscribe, () => questions.length > 0);
