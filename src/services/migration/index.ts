// Exports the configuration of a license as a document and imports it into another; services/license/export.ts exports its data.
import { Readable } from 'node:stream';
import type { Ctx } from '../../context.ts';
import type { Query, Schemas } from '../../platform-contract/types.ts';
import { Download } from '../../results/results.ts';
import { refusing } from '../../database/faults.ts';
import { recordEvent } from '../../events/record.ts';
import { DomainError, invalidField } from '../../errors.ts';
import type { LastingAccess } from '../auth/access-recheck.ts';
import { lockAccessOf } from '../team/access.ts';
import { documentText } from './document.ts';
import { InstanceMap } from './instance-map.ts';
import { importOrder, type Importing, type MigrationParts } from './part.ts';
import { planPart, type Documented, type PartPlan, type PlanFault } from './plan.ts';

export interface Report {
  isDryRun: boolean;
  parts: PartPlan[];
  faults: PlanFault[];
}

/** Maximum faults listed in a refusal; a dry run lists all. */
const maxNamed = 100;

export class Migration {
  readonly #parts: MigrationParts;
  readonly #order: readonly string[];
  readonly #access: LastingAccess;

  constructor(parts: MigrationParts, access: LastingAccess) {
    this.#parts = parts;
    this.#order = importOrder(parts);
    this.#access = access;
  }

  /**
   * Streams the license's document for as long as the caller is permitted. A document that is too large is refused at
   * once.
   */
  async export(ctx: Ctx, query: Query<'exportConfiguration'>): Promise<Download> {
    const wanted = [...new Set(query.parts?.split(',') ?? this.#order)];
    for (const name of wanted) if (!this.#order.includes(name)) throw noSuchPart(name);
    const requirement = { scheme: 'bearerAuth', permissions: ['migration.export'] } as const;
    const checkAccess = () => this.#access.refuseEnded(ctx, requirement);
    const text = () => documentText(ctx, { parts: this.#parts, wanted }, checkAccess);
    for await (const _part of text());
    return new Download(Readable.from(text()), {
      mediaType: 'application/vnd.gantry.migration+json',
      fileName: `migration-${new Date().toISOString().slice(0, 10)}.json`,
    });
  }

  /**
   * Brings the license to the state in the document, or returns what that would change. The request validation has
   * already checked the checksum.
   */
  async import(ctx: Ctx, input: Schemas['MigrationImport']): Promise<Report> {
    const { document, modes = {}, dry_run: isDryRun = false, instance_map: mappings = [] } = input;
    const parts = new Map(Object.entries(document.parts));
    const modeOf = new Map(Object.entries(modes));
    const documented = this.#order.flatMap((name): Documented[] => {
      const items = parts.get(name)?.items;
      return items === undefined ? [] : [{ name, items, mode: modeOf.get(name) ?? 'merge' }];
    });
    return ctx.transact(async (em, queries) => {
      const held = await lockAccessOf(ctx, em, queries);
      const instances = await InstanceMap.read(queries, mappings);
      const planned = new Map<string, ReadonlySet<string>>();
      const importing: Importing = { ctx, em, queries, held, instances, planned };
      const plans: PartPlan[] = [];
      for (const each of documented) {
        const plan = await planPart(importing, this.#partOf(each.name), each);
        planned.set(each.name, plan.created);
        plans.push(plan);
      }
      const faults = plans.flatMap((plan) => plan.faults);
      if (isDryRun) return { isDryRun, parts: plans, faults };
      if (faults.length > 0) throw refusalOf(faults);
      for (const plan of plans) {
        await refusing(plan.refusals, async () => {
          await plan.apply();
          await em.flush();
        });
      }
      const isChanged = ({ outcome }: PartPlan['entries'][number]) =>
        outcome === 'created' || outcome === 'updated';
      const parts = plans.filter(({ entries }) => entries.some(isChanged)).map(({ name }) => name);
      if (parts.length > 0)
        await recordEvent(em, 'migration.imported', { subject: ctx.licenseId, data: { parts } });
      return { isDryRun, parts: plans, faults };
    });
  }

  #partOf(name: string) {
    const part = this.#parts[name];
    if (part === undefined) throw new Error(`there is no part ${name} of a migration`);
    return part;
  }
}

function refusalOf(faults: PlanFault[]): DomainError {
  const isLacking = faults.some(({ code }) => code === 'beyond_own_permissions');
  const [first] = faults;
  const others =
    faults.length === 1 ? '' : ` There are ${faults.length} faults in all; a dry run names them.`;
  return new DomainError(
    isLacking ? 'beyond_own_permissions' : 'import_refused',
    `Nothing was imported. ${first?.pointer ?? ''}: ${first?.detail ?? ''}${others}`,
    { faults: faults.slice(0, maxNamed).map(({ pointer, detail }) => ({ in: 'body', pointer, detail })) },
  );
}

const noSuchPart = (name: string) =>
  invalidField({
    in: 'query',
    pointer: '/parts',
    detail: `names ${name}, which is not a part of a migration document`,
  });
