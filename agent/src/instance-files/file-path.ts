// Splits a path from the platform into names that are safe on every operating system, or refuses it.
import { FileError } from './file-error.ts';

/** Name prefix of the agent's own temporary files and directories. */
export const ownPrefix = '.gantry-';

/** Maximum number of steps in a path. */
export const maxSteps = 200;

const maxPathLength = 1024;
const maxNameBytes = 255;

const forbidden = '\\:*?"<>|';
const devices = new Set([
  'con',
  'prn',
  'aux',
  'nul',
  'conin$',
  'conout$',
  ...['com', 'lpt'].flatMap((port) => [...'0123456789¹²³'].map((digit) => port + digit)),
]);

/** Returns the names, outermost first. Windows' rules apply everywhere, so that a path means the same on each host. */
export function stepsOf(path: string): string[] {
  if (path.length > maxPathLength) throw refused('it is too long');
  const names = path.split('/');
  refuseDeep(names.length);
  return names.map(checkedName);
}

/** Refuses a depth below the root that no valid path could reach. */
export function refuseDeep(steps: number): void {
  if (steps > maxSteps) throw refused(`it has more than ${maxSteps} steps`);
}

/** Like `stepsOf`, with an empty list for the root. */
export const folderStepsOf = (path: string): string[] => (path === '' ? [] : stepsOf(path));

export function checkedName(name: string): string {
  if (name === '') throw refused('it has an empty step');
  if (name === '.' || name === '..') throw refused('it has a step that is . or ..');
  if (!name.isWellFormed()) throw refused('it is not valid text');
  if (Buffer.byteLength(name) > maxNameBytes) throw refused('a name is too long');
  for (const character of name) {
    if (forbidden.includes(character) || isControl(character))
      throw refused('it has a character that is not allowed in names');
  }
  if (/[. ]$/.test(name) || name.startsWith(' '))
    throw refused('a name begins or ends with a space or ends with a dot');
  const [stem = ''] = name.toLowerCase().split('.');
  if (devices.has(stem.trimEnd())) throw refused('it has a name that Windows reserves');
  if (name.toLowerCase().startsWith(ownPrefix))
    throw new FileError('refused', 'The name is the agent’s own.');
  return name;
}

function isControl(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

const refused = (why: string) => new FileError('invalid', `The path cannot be used: ${why}.`);
