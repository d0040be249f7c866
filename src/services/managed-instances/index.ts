// Instances that agents create from their templates: created, changed and deleted on request.
import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import type { Schemas } from '../../platform-contract/types.ts';
import type { EntityManager } from '../../database/connection.ts';
import type { Queries } from '../../database/reader.ts';
import { holdLock } from '../../database/advisory-locks.ts';
import { AgentHost, Command, GameInstance } from '../../entities/index.ts';
import { DomainError, invalidField, notFound } from '../../errors.ts';
import { issueCommand, issueHostCommand } from '../commands/index.ts';
import type { CommandRow } from '../commands/index.ts';
import { limitReached } from '../../preconditions/limits.ts';
import { refuseStale } from '../../preconditions/version.ts';
import { refuseInvalidValues, refuseMissingValues } from './parameter-values.ts';

type Values = Readonly<Record<string, string>>;

export type TemplateList = Schemas['InstanceTemplateList'];
export type DefinitionRow = Awaited<ReturnType<typeof definitionOf>>;

/** States in which a server has no process. */
const stoppedStates: readonly string[] = ['offline', 'stopped', 'crashed'];

export class ManagedInstances {
  /** The agent's last report; empty if it reports no templates. */
  async listTemplates(ctx: Ctx, hostId: string): Promise<TemplateList> {
    return ctx.read(async (queries) => {
      const host = await queries
        .selectFrom('agent_host')
        .select(['instance_templates', 'max_managed_instances'])
        .where('id', '=', hostId)
        .executeTakeFirst();
      if (host === undefined) throw notFound('host');
      return { data: host.instance_templates ?? [], max_instances: host.max_managed_instances };
    });
  }

  async create(
    ctx: Ctx,
    hostId: string,
    { name, template: templateName, parameters = {} }: Schemas['InstanceCreate'],
  ): Promise<CommandRow> {
    return ctx.transact(async (em, queries) => {
      const host = await em.findOne(AgentHost, hostId);
      if (host === null) throw notFound('host');
      const template = templatesOf(host).find((candidate) => candidate.name === templateName);
      if (template === undefined)
        throw invalidField({
          in: 'body',
          pointer: '/template',
          detail: `the configuration file of the host's agent has no template "${templateName}"`,
        });
      refuseInvalidValues(template, parameters);
      refuseMissingValues(template, parameters);
      await holdLock(em, `instances ${hostId}`);
      await refuseTakenName(em, hostId, name);
      await refuseFullHost(em, host);
      return issueHostCommand(em, queries, {
        hostId,
        instanceName: name,
        request: {
          verb: 'create_instance',
          args: { template: templateName, parameters },
          requestedBy: ctx.actor?.label ?? null,
        },
      });
    });
  }

  async getDefinition(ctx: Ctx, instanceId: string): Promise<DefinitionRow> {
    return ctx.read((queries) => definitionOf(queries, instanceId));
  }

  async update(
    ctx: Ctx,
    instanceId: string,
    { parameters }: Schemas['InstanceDefinitionUpdate'],
    expectedVersions: readonly number[] | null,
  ): Promise<CommandRow> {
    return ctx.transact(async (em, queries) => {
      const { definitionVersion, template: templateName, hostId } = await managedInstance(em, instanceId);
      refuseStale({ version: definitionVersion ?? 0 }, expectedVersions, 'The instance');
      const host = await em.findOneOrFail(AgentHost, hostId);
      const template = templatesOf(host).find((candidate) => candidate.name === templateName);
      if (template === undefined)
        throw new DomainError(
          'not_supported',
          `The configuration file of the agent no longer has the template "${templateName}".`,
        );
      refuseInvalidValues(template, parameters);
      return issueCommand(em, queries, instanceId, {
        verb: 'change_instance',
        args: {
          parameters,
          ...(expectedVersions !== null && definitionVersion && { if_version: definitionVersion }),
        },
        requestedBy: ctx.actor?.label ?? null,
      });
    });
  }

  async remove(ctx: Ctx, instanceId: string, deletesFiles: boolean): Promise<CommandRow> {
    return ctx.transact(async (em, queries) => {
      const { state } = await managedInstance(em, instanceId);
      if (state !== undefined && !stoppedStates.includes(state))
        throw new DomainError('still_online', 'The server is running; stop it first.');
      return issueCommand(em, queries, instanceId, {
        verb: 'delete_instance',
        args: { delete_files: deletesFiles },
        requestedBy: ctx.actor?.label ?? null,
      });
    });
  }
}

/** Throws `not_supported` if the agent has reported no templates, or its settings file has none. */
function templatesOf({ instanceTemplates }: AgentHost): readonly Schemas['InstanceTemplate'][] {
  if (instanceTemplates === null || instanceTemplates === undefined)
    throw new DomainError(
      'not_supported',
      'The agent of this host has not reported any templates: update the agent, or wait until it is online.',
    );
  if (instanceTemplates.length === 0)
    throw new DomainError(
      'not_supported',
      "The configuration file of this host's agent has no managed_instances: add that section and restart the agent.",
    );
  return instanceTemplates;
}

const isBeingCreated = (hostId: string) =>
  ({
    hostId,
    kind: 'create_instance' as const,
    status: { $in: ['queued', 'sent', 'acknowledged'] },
  }) as const;

async function refuseTakenName(em: EntityManager, hostId: string, name: string): Promise<void> {
  const taken = new DomainError('name_taken', `This host already has an instance "${name}".`);
  if ((await em.count(GameInstance, { hostId, name })) > 0) throw taken;
  if ((await em.count(Command, { ...isBeingCreated(hostId), instanceName: name })) > 0) throw taken;
}

async function refuseFullHost(
  em: EntityManager,
  { id: hostId, maxManagedInstances: max = 0 }: AgentHost,
): Promise<void> {
  const presentCount = await em.count(GameInstance, { hostId, managedBy: 'platform' });
  const awaitedCount = await em.count(Command, isBeingCreated(hostId));
  if (presentCount + awaitedCount >= max)
    throw limitReached({
      detail: `The configuration file of this host's agent allows ${max} instances from templates.`,
    });
}

async function managedInstance(em: EntityManager, id: string): Promise<GameInstance> {
  const instance = await em.findOne(GameInstance, id);
  if (instance === null) throw notFound('instance');
  if (instance.managedBy !== 'platform')
    throw new DomainError(
      'not_supported',
      `The agent's configuration file defines the instance "${instance.name}"; edit that file and restart the agent.`,
    );
  return instance;
}

async function definitionOf(queries: Queries, id: string) {
  const definition = await queries
    .selectFrom('game_instance')
    .select([
      sql<string>`template`.as('template'),
      sql<Values>`template_parameters`.as('parameters'),
      sql<number>`definition_version`.as('version'),
      'definition_problem as problem',
    ])
    .where('id', '=', id)
    .where('managed_by', '=', 'platform')
    .executeTakeFirst();
  if (definition === undefined) throw notFound('definition of that instance');
  return definition;
}
