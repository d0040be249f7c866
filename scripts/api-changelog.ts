// Keeps the API changelog: one entry for each version of the platform's contract, with lists made by comparing contracts.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import { changesBetween, type ContractChanges } from './contract-diff.ts';
import { inOneSpelling } from './pattern-spelling.ts';

const root = resolve(import.meta.dirname, '..');
const published = 'generated/platform.openapi-3.1.json';

export interface ChangelogEntry extends ContractChanges {
  version: string;
  /** The day of its publication. */
  date: string;
  /** For people: what the version is about. */
  summary: string;
  /** Written by hand: changes of behavior that comparing contracts does not show. */
  behavior?: string[];
}

type Contract = Record<string, unknown> & { info: { version: string } };

const fileOf = (version: string) => resolve(root, `openapi/changelog/${version}.yaml`);

/** Newest version first. */
export function readChangelog(): ChangelogEntry[] {
  return globSync('openapi/changelog/*.yaml', { cwd: root })
    .map((file) => parse(readFileSync(resolve(root, file), 'utf8')) as ChangelogEntry)
    .toSorted((one, other) => byVersion(other.version, one.version));
}

function byVersion(one: string, other: string): number {
  const [a, b] = [one, other].map((version) => version.split('.').map(Number)) as [number[], number[]];
  return a.map((part, index) => part - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

/** Throws unless the contract's version has the newest entry, which lists its changes. */
export function refuseOutdatedEntry(): void {
  const contract = currentContract();
  const { version } = contract.info;
  if (version.startsWith('0.')) return;
  const fault = faultOfEntries(readChangelog(), version, changesOf(contract));
  if (fault !== undefined) throw new Error(fault);
}

/** What is wrong with the entries, newest first, of a contract with that version and those changes. */
export function faultOfEntries(
  entries: readonly ChangelogEntry[],
  version: string,
  changes: ContractChanges,
): string | undefined {
  const howTo = 'write its summary and run npm run changelog';
  const entry = entries.find((each) => each.version === version);
  if (entry === undefined) return `openapi/changelog has no entry for version ${version}; ${howTo}`;
  const [newest = entry] = entries;
  if (newest !== entry)
    return `openapi/changelog has an entry for ${newest.version}, and info.version is ${version}; raise the version`;
  const { version: _version, date: _date, summary: _summary, behavior: _behavior, ...lists } = entry;
  return JSON.stringify(lists) === JSON.stringify(changes)
    ? undefined
    : `openapi/changelog/${version}.yaml does not list the changes of the contract; ${howTo}`;
}

/** Writes the entry of the current version; its date and summary stay. */
export function writeEntry(): void {
  const contract = currentContract();
  const { version } = contract.info;
  const known = readChangelog().find((each) => each.version === version);
  const { date = new Date().toISOString().slice(0, 10), summary = '', behavior } = known ?? {};
  writeFileSync(
    fileOf(version),
    stringify(
      { version, date, summary, ...(behavior !== undefined && { behavior }), ...changesOf(contract) },
      { lineWidth: 110, singleQuote: true },
    ),
  );
}

const contractOf = (json: string) => JSON.parse(inOneSpelling(json)) as Contract;
const currentContract = () => contractOf(readFileSync(resolve(root, published), 'utf8'));

/** The changes since the previous version that was committed; none for the first version. */
function changesOf(contract: Contract): ContractChanges {
  const previous = previousContract(contract.info.version);
  return previous === undefined
    ? { added: [], changed: [], deprecated: [], removed: [] }
    : changesBetween(previous, contract);
}

/** The last committed contract of another version; what was before 1.0.0 changed without notice. */
function previousContract(version: string): Contract | undefined {
  const log = git(['log', '--first-parent', '--format=%H', '--', published]);
  for (const commit of log.split('\n').filter(Boolean)) {
    const contract = contractOf(git(['show', `${commit}:${published}`]));
    if (contract.info.version !== version && !contract.info.version.startsWith('0.')) return contract;
  }
  return undefined;
}

function git(args: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  if (status !== 0) throw new Error(`git ${args[0] ?? ''} failed: ${stderr}`);
  return stdout;
}

if (import.meta.main) writeEntry();
