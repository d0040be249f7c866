// Refuses paths that a game host would interpret differently than they look; the agent checks them again.
import { DomainError } from '../../errors.ts';

const maxNameBytes = 255;
const maxSteps = 200;

/** Patterns that no segment of a path may match, with their messages. */
const faults: readonly (readonly [RegExp, string])[] = [
  [/^$/, 'a step is empty'],
  [/^\.{1,2}$/, 'a step is . or ..'],
  [/[\u0000-\u001f\u007f-\u009f]/, 'it has a control character'],
  [/[\\:*?"<>|]/, 'it has a character that Windows does not allow in names'],
  [/^ |[ .]$/, 'a name begins or ends with a space, or ends with a dot'],
  [/^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?:\.|$)/i, 'a name is reserved on Windows'],
  [/^\.gantry-/i, 'a name is kept for the agent'],
];

/** What is wrong with the path; undefined if it is valid. */
export function pathFault(path: string): string | undefined {
  if (!path.isWellFormed()) return 'it is no valid text';
  const steps = path.split('/');
  if (steps.length > maxSteps) return `it has more than ${maxSteps} steps`;
  for (const step of steps) {
    const fault = faults.find(([pattern]) => pattern.test(step));
    if (fault !== undefined) return fault[1];
    if (Buffer.byteLength(step) > maxNameBytes) return 'a name has more than 255 bytes';
  }
  return undefined;
}

/** Returns the path; throws if it is invalid. */
export function checkedPath(path: string): string {
  const fault = pathFault(path);
  if (fault !== undefined) throw new DomainError('path_refused', `The path cannot be used: ${fault}.`);
  return path;
}

/** Checks the path of a directory, where an empty path is the root. */
export const checkedFolder = (path: string): string => (path === '' ? path : checkedPath(path));

export function pathIn(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

export const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
