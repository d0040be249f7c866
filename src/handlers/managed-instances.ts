// Operations of the area `managed-instances`.
import type { Schemas } from '../platform-contract/types.ts';
import { Versioned } from '../contract/replies.ts';
import type { DefinitionRow } from '../services/managed-instances/index.ts';
import { accepting } from './commands.ts';
import type { Handlers } from './handlers.ts';

export const managedInstances = {
  listInstanceTemplates: async (ctx, { path }) =>
    ctx.services.managedInstances.listTemplates(ctx, path.host_id),
  createInstance: accepting((ctx, { path, body }) =>
    ctx.services.managedInstances.create(ctx, path.host_id, body),
  ),
  getInstanceDefinition: async (ctx, { path }) =>
    viewDefinition(await ctx.services.managedInstances.getDefinition(ctx, path.instance_id)),
  updateInstanceDefinition: accepting((ctx, { path, body, expectedVersions }) =>
    ctx.services.managedInstances.update(ctx, path.instance_id, body, expectedVersions),
  ),
  removeInstanceFromHost: accepting((ctx, { path, query }) =>
    ctx.services.managedInstances.remove(ctx, path.instance_id, query.delete_files ?? false),
  ),
} satisfies Partial<Handlers>;

function viewDefinition(definition: DefinitionRow): Versioned<Schemas['InstanceDefinition']> {
  const { version } = definition;
  const body = {
    template: definition.template,
    parameters: definition.parameters,
    version,
    problem: definition.problem,
  };
  return new Versioned(body, version);
}
