// Classifies errors of Windows independently of its display language.
import { fieldsOf, numberOf, textOf, type Fields } from '../parsing.ts';
import { refusal, type Refusal } from '../refusals.ts';

/** E_OUTOFMEMORY, and ERROR_NO_SYSTEM_RESOURCES, which Hyper-V also reports if it lacks memory. */
const memoryCodes = /0x8007000e|0x800705aa/i;
const memoryNumbers = [0x8007000e, 0x800705aa];

/** ERROR_DISK_FULL and ERROR_HANDLE_DISK_FULL. */
const diskCodes = /0x80070070|0x80070027/i;
const diskNumbers = [0x80070070, 0x80070027];

const advice = {
  permission:
    'Hyper-V refuses: start the manager from an elevated terminal, or join the group Hyper-V Administrators.',
  module: 'The Hyper-V module of PowerShell is missing: turn on the Windows feature Hyper-V.',
  service: 'The service vmms is not running: start it, or restart Windows if Hyper-V was just turned on.',
};

/** These commands were denied access to a file, not a right in Hyper-V. */
const fileCommands =
  /\.(Get|New|Copy|Move|Remove)-?(ChildItem|Item|Content)Command|IOException|UnauthorizedAccessException/;

const maxText = 500;

/** The refusal for a script's error. */
export function hostRefusal(script: string, error: Fields): Refusal {
  const message = textOf(error['message']) ?? 'PowerShell returned nothing.';
  const id = textOf(error['fqid']) ?? '';
  const category = textOf(error['category']) ?? '';
  const number = (numberOf(error['hresult']) ?? 0) >>> 0;
  const all = `${id}\n${category}\n${message}`;
  if (
    script === 'start-vm' &&
    (/^OutOfMemory\b/.test(id) || memoryCodes.test(all) || memoryNumbers.includes(number))
  )
    return refusal('out_of_memory', 'The host has too little memory to start the virtual machine.');
  if (diskCodes.test(all) || diskNumbers.includes(number))
    return refusal(
      'disk_full',
      `A drive of the host is full: free some space and try again. Windows says: ${message.trim().slice(0, maxText)}`,
    );
  if (id.startsWith('GantryServiceStopped')) return refusal('hyperv_unavailable', advice.service);
  if (/^CommandNotFound|^Modules_|ModuleNotFound/.test(id) || /Modules_ModuleNotFound/.test(all))
    return refusal('hyperv_unavailable', advice.module);
  if (
    !fileCommands.test(id) &&
    (/AccessDenied|UnauthorizedAccess/.test(id) ||
      category === 'PermissionDenied' ||
      number === 0x80070005 ||
      /required permission|0x80070005/i.test(message))
  )
    return refusal(
      'host_permission',
      `${advice.permission} Windows says: ${message.trim().slice(0, maxText)}`,
    );
  if (id.startsWith('GantryVmMissing')) return vmMissing();
  return refusal('host_failed', `${script}: ${message.trim().slice(0, maxText)}`, {
    cause: fieldsOf(error),
  });
}

export const vmMissing = () => refusal('vm_missing', 'There is no virtual machine yet: import it.');

const silence = 'host-silent';

export const hostSilent = (script: string, seconds: number): Refusal =>
  refusal('host_failed', `Windows did not end ${script} within ${seconds} seconds.`, { cause: silence });

/** Whether PowerShell gave no result in time, which says nothing about the virtual machine. */
export const isHostSilent = ({ cause }: Refusal): boolean => cause === silence;

/** Whether the Hyper-V management service, not the virtual machine, is the problem. */
export const isServiceStopped = ({ message }: Refusal) => message === advice.service;
