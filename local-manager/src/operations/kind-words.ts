// The kinds of operations as words, for messages.
import type { components } from '../../../generated/local-manager.d.ts';

/** `stopVm` as “Stop virtual machine”. */
export function kindInWords(kind: components['schemas']['OperationKind']): string {
  const words = kind
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/\bvm\b/, 'virtual machine');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
