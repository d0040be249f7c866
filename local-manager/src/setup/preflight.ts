// Checks whether the host can run the virtual machine, and lists the available choices.
import type { components } from '../../../generated/local-manager.d.ts';
import type { HostBridge } from '../powershell/host-bridge.ts';
import { isHostSilent } from '../powershell/host-errors.ts';
import { fieldsOf, flagOf, gigabytes, listOf, numberOf, textOf, type Fields } from '../parsing.ts';
import { isRefusal } from '../refusals.ts';
import { Shared } from '../shared-result.ts';
import { fittingRung, memoryChoices } from '../vm/memory-ladder.ts';
import type { HostView, VmReader } from '../vm/vm-reader.ts';

export type PreflightView = components['schemas']['Preflight'];
type Check = PreflightView['checks'][number];

/** A check asks Windows twice, which takes seconds. */
const freshMs = 30_000;
const minFreeGB = 100;
const minMemoryGB = 20;

export class Preflight {
  readonly #bridge: HostBridge;
  readonly #vm: VmReader;
  readonly #shared: Shared<PreflightView>;

  constructor(bridge: HostBridge, vm: VmReader) {
    this.#bridge = bridge;
    this.#vm = vm;
    this.#shared = new Shared(freshMs, () => this.#check());
  }

  /** The choices for an import; throws a refusal if Windows cannot be queried. */
  async choices(): Promise<Pick<PreflightView, 'drives' | 'nics'>> {
    const fields = await this.#bridge.run('get-preflight', {});
    return { drives: drivesIn(fields), nics: nicsIn(fields) };
  }

  /** The result of the last half minute, or another one. */
  recent(): Promise<PreflightView> {
    return this.#shared.recent();
  }

  /** As `recent`; undefined if Windows does not respond within that time. */
  recentWithin(ms: number): Promise<PreflightView | undefined> {
    return this.#shared.recentWithin(ms);
  }

  get(): Promise<PreflightView> {
    this.#shared.forget();
    return this.#shared.recent();
  }

  async #check(): Promise<PreflightView> {
    const host = await known(this.#vm.now());
    // A Windows that does not respond is not asked a second time.
    const found: Known<Fields> =
      host.refused !== undefined && host.isSilent === true
        ? { refused: host.refused }
        : await known(this.#bridge.run('get-preflight', {}));
    const view = host.value;
    const fields = found.value ?? {};
    const drives = drivesIn(fields);
    const nics = nicsIn(fields);
    const vmcxPath = textOf(fields['vmcxPath']);
    const checks: Check[] = [
      check('Hyper-V', host.refused === undefined, host.refused ?? null),
      ...(found.refused === undefined ? [] : [check('Windows PowerShell', false, found.refused)]),
      ...(found.refused === undefined
        ? foundChecks(fields, drives, nics, view?.vm !== null && view?.vm !== undefined)
        : unasked(foundNames)),
      ...(view === undefined
        ? unasked(['Memory'])
        : [
            check(
              'Memory',
              (view.memoryTotalGB ?? 0) >= minMemoryGB,
              `The host has less than ${minMemoryGB} GB of memory.`,
              'warning',
            ),
          ]),
    ];
    return {
      isReady: checks.every(({ state }) => state !== 'failed'),
      checks,
      ...existing(view),
      vmcxPath,
      drives,
      nics,
      memoryTotalGB: view?.memoryTotalGB ?? null,
      memoryFreeGB: view?.memoryFreeGB ?? null,
      suggestedMemoryGB: fittingRung(view?.memoryFreeGB ?? null),
      memoryChoicesGB: memoryChoices(view?.memoryTotalGB ?? null),
    };
  }
}

const foundNames = [
  'Administrator rights',
  'Vendor’s package',
  'Free space',
  'Network adapter',
  'OpenSSH client',
] as const;

type FoundName = (typeof foundNames)[number];

function foundChecks(
  fields: Fields,
  drives: PreflightView['drives'],
  nics: PreflightView['nics'],
  hasVm: boolean,
): Check[] {
  const found = (name: FoundName, isFine: boolean, detail: string, otherwise?: Check['state']) =>
    check(name, isFine, detail, otherwise);
  return [
    found(
      'Administrator rights',
      flagOf(fields['elevated']),
      'Start the manager from an elevated terminal.',
      'warning',
    ),
    found(
      'Vendor’s package',
      textOf(fields['vmcxPath']) !== null,
      'Install “Dune: Awakening Self-Hosted Server” with Steam.',
    ),
    found(
      'Free space',
      drives.some(({ isLargeEnough }) => isLargeEnough),
      `No drive has more than ${minFreeGB} GB free${hasVm ? '; only another import needs it' : ''}.`,
      hasVm ? 'warning' : 'failed',
    ),
    found('Network adapter', nics.length > 0, 'No network adapter is up.', 'warning'),
    found('OpenSSH client', fields['hasSsh'] !== false, 'Turn on the Windows feature OpenSSH Client.'),
  ];
}

/** Unknown states are reported as warnings. */
const unasked = (names: readonly string[]): Check[] =>
  names.map((name) => ({ name, state: 'warning', detail: 'Windows could not be queried.' }));

const existing = (view: HostView | undefined) => ({
  vmExists: view?.vm !== null && view?.vm !== undefined,
  vmState: view?.vm?.state ?? null,
});

interface Known<T> {
  value?: T;
  refused?: string;
  isSilent?: boolean;
}

async function known<T>(asked: Promise<T>): Promise<Known<T>> {
  try {
    return { value: await asked };
  } catch (error) {
    if (isRefusal(error)) return { refused: error.message, isSilent: isHostSilent(error) };
    throw error;
  }
}

const check = (
  name: string,
  isFine: boolean,
  detail: string | null,
  otherwise: Check['state'] = 'failed',
): Check => (isFine ? { name, state: 'passed', detail: null } : { name, state: otherwise, detail });

function drivesIn(fields: Fields): PreflightView['drives'] {
  return listOf(fields['drives'])
    .map(fieldsOf)
    .flatMap(({ name, freeBytes }) => {
      const freeGB = gigabytes(numberOf(freeBytes));
      const letter = textOf(name);
      if (letter === null || freeGB === null) return [];
      return [{ name: letter, freeGB, isLargeEnough: freeGB > minFreeGB }];
    });
}

function nicsIn(fields: Fields): PreflightView['nics'] {
  return listOf(fields['nics'])
    .map(fieldsOf)
    .flatMap(({ name, description }) => {
      const label = textOf(name);
      return label === null ? [] : [{ name: label, description: textOf(description) ?? label }];
    });
}
