// Computes what importing a part would change in a license, entry by entry, and the faults that prevent it.
import type { Schemas } from '../../platform-contract/types.ts';
import { DomainError, type ProblemCode } from '../../errors.ts';
import { limitReached, roomWithin } from '../../preconditions/limits.ts';
import { refuseBeyondOwn } from '../team/access.ts';
import { canonicalJson } from '../../values/canonical-json.ts';
import type { Importing, MigrationPart, PartTarget, Pending } from './part.ts';

export interface Change {
  field: string;
  before: unknown;
  after: unknown;
}

export interface Entry {
  /** JSON pointer within the request body. */
  pointer: string;
  label: string;
  outcome: Schemas['MigrationOutcome'];
  reason: string | null;
  changes: Change[];
}

export interface PlanFault {
  pointer: string;
  code: ProblemCode;
  detail: string;
}

export interface PartPlan {
  name: string;
  entries: Entry[];
  faults: PlanFault[];
  /** Keys of the items that the import creates. */
  created: ReadonlySet<string>;
  /** Applies the plan; call it only if there are no faults. */
  apply: () => Promise<void>;
  refusals: PartTarget<object>['refusals'];
}

export interface Documented {
  name: string;
  items: readonly object[];
  mode: Schemas['MigrationMode'];
}

export async function planPart(
  importing: Importing,
  part: MigrationPart,
  { name, items: given, mode }: Documented,
): Promise<PartPlan> {
  const at = `/document/parts/${name}`;
  const items = given.map((item) => part.normal?.(item) ?? item);
  const faults: PlanFault[] = [];
  /** Records an error that the check throws as a fault at that pointer. */
  const noting = (pointer: string, check: () => void) => {
    try {
      check();
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      faults.push(...faultsOf(error as DomainError, pointer));
    }
  };
  const limit = part.limit?.(importing);
  const room = limit === undefined ? Infinity : await roomWithin(importing.em, limit);
  const target = await part.open(importing, items);
  const seen = new Set<string>();
  const pending: Pending<object>[] = [];
  const entries = items.map((item, index): Entry => {
    const pointer = `${at}/items/${index}`;
    const entry = { pointer, label: part.labelOf(item), reason: null, changes: [] };
    const skipped = (reason: string): Entry => ({ ...entry, outcome: 'skipped', reason });
    const key = target.keyOf(item);
    if (seen.has(key)) {
      faults.push({ pointer, code: 'validation_failed', detail: 'is already named by an earlier entry' });
      return skipped('An earlier entry names the same item.');
    }
    seen.add(key);
    if (mode === 'skip') return skipped('The request skips this part.');
    const reason = target.reasonToSkip?.(item) ?? null;
    if (reason !== null) return skipped(reason);
    const stored = target.stored(item);
    const changes = stored === undefined ? [] : changesBetween(stored, item);
    if (stored !== undefined && changes.length === 0) return { ...entry, outcome: 'unchanged' };
    if (stored !== undefined && mode === 'add') return skipped('The license already has this item.');
    noting(pointer, () => target.check(item, stored));
    pending.push({ item, isNew: stored === undefined });
    return { ...entry, outcome: stored === undefined ? 'created' : 'updated', changes };
  });
  if (pending.length > 0) noting(at, () => refuseBeyondOwn(importing.held, { [part.permission]: true }));
  const fresh = pending.filter(({ isNew }) => isNew);
  if (limit !== undefined && fresh.length > room)
    noting(at, () => {
      throw limitReached(limit);
    });
  return {
    name,
    entries,
    faults,
    created: new Set(fresh.map(({ item }) => target.keyOf(item))),
    apply: async () => (pending.length === 0 ? undefined : target.apply(pending)),
    refusals: target.refusals,
  };
}

/** The fields that differ. Fields that the document lacks are not compared. */
function changesBetween(stored: object, item: object): Change[] {
  const before = new Map<string, unknown>(Object.entries(stored));
  return (Object.entries(item) as [string, unknown][])
    .filter(([field, after]) => canonicalJson(before.get(field) ?? null) !== canonicalJson(after))
    .map(([field, after]) => ({ field, before: before.get(field) ?? null, after }));
}

function faultsOf({ code, message, faults = [] }: DomainError, pointer: string): PlanFault[] {
  if (faults.length === 0) return [{ pointer, code, detail: message }];
  return faults.map((fault) => ({ pointer: `${pointer}${fault.pointer}`, code, detail: fault.detail }));
}
