// The same for each of several files: one failure does not stop the rest, and another attempt leaves out what is done.
import { useState } from 'react';
import { hasCode, isShown, problemOf } from '../../api/problem.ts';
import { useWork } from '../../api/writing.ts';
import { refreshFolders, type InstanceFile } from '../folder.ts';

/** Null for what is done. */
export type FileResults = ReadonlyMap<string, Error | null>;

/** Whether it would be the same for the next file. */
const concernsAll = (error: Error): boolean =>
  !isShown(error) || problemOf(error) === null || hasCode(error, 'agent_offline', 'forbidden');

export function useEachFile<Target>(
  files: readonly InstanceFile[],
  work: (file: InstanceFile, target: Target) => Promise<unknown>,
  onDone: () => void,
) {
  const [results, setResults] = useState<FileResults>(new Map());
  const [attempt, setAttempt] = useState(0);
  const each = useWork(
    async ({ target }: { target: Target; attempt: number }) => {
      const reached = new Map(results);
      for (const file of files) {
        if (reached.get(file.path) === null) continue;
        try {
          await work(file, target);
          reached.set(file.path, null);
        } catch (error) {
          if (files.length === 1 || concernsAll(error as Error)) throw error;
          reached.set(file.path, error as Error);
        }
        setResults(new Map(reached));
      }
      setAttempt(attempt + 1);
      return files.every(({ path }) => reached.get(path) === null);
    },
    {
      onDone: (isComplete) => {
        if (isComplete) onDone();
      },
      onEnd: refreshFolders,
    },
  );
  return {
    results,
    isPending: each.isPending,
    error: each.error,
    run: (target: Target) => each.mutate({ target, attempt }),
  };
}
