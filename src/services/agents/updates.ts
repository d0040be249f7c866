// Updates of agents to the release of this platform: which hosts are outdated, and the commands that update them.
import type { AgentRelease, Release } from '../../agent-release/agent-release.ts';
import type { Ctx } from '../../context.ts';
import { holdLock } from '../../database/advisory-locks.ts';
import type { Queries } from '../../database/reader.ts';
import { AgentHost, Command } from '../../entities/index.ts';
import { DomainError, notFound } from '../../errors.ts';
import type { Schemas } from '../../platform-contract/types.ts';
import { enqueueRelays } from '../../queue/enqueue.ts';
import { isOlder } from '../../../shared/versions.ts';
import { commandsWithIds, newCommand, type CommandRow } from '../commands/index.ts';

export interface RequestedUpdates {
  version: string;
  commands: CommandRow[];
}

const verb = 'update_agent';

/** As the agents report them, and as the release names them. */
const releasedAs: Readonly<Record<string, string>> = { 'win32-x64': 'win-x64' };

const hasExecutable = (release: Release, platform: string): boolean =>
  release.files.some((file) => file.platform === (releasedAs[platform] ?? platform));

/** The version that an agent can be updated to; null if there is none, or the agent has it. */
export function availableVersion(
  release: Release | undefined,
  { platform, agent_version: version }: { platform: string; agent_version: string },
): string | null {
  if (release === undefined || !hasExecutable(release, platform)) return null;
  return isOlder(version, release.version) === true ? release.version : null;
}

/** The latest update of each of these hosts that had one. */
export async function latestUpdates(queries: Queries, hostIds: readonly string[]) {
  if (hostIds.length === 0) return new Map<string, never>();
  const updates = await queries
    .selectFrom('command')
    .distinctOn('host_id')
    .select(['host_id', 'id', 'args', 'status', 'error_code', 'detail', 'created_at', 'finished_at'])
    .where('kind', '=', verb)
    .where('host_id', 'in', hostIds)
    .orderBy('host_id')
    .orderBy('id', 'desc')
    .execute();
  return new Map(updates.map(({ host_id, ...update }) => [host_id, update]));
}

export class AgentUpdates {
  readonly #agentRelease: AgentRelease;

  constructor(agentRelease: AgentRelease) {
    this.#agentRelease = agentRelease;
  }

  /** Requests an update of each host that lacks the version of the release. Updates under way are not repeated. */
  async request(
    ctx: Ctx,
    { host_ids: hostIds, allow_older: allowsOlder = false }: Schemas['AgentUpdateCreate'],
  ): Promise<RequestedUpdates> {
    const release = await this.#agentRelease.find();
    if (release === undefined)
      throw new DomainError('no_agent_release', 'This platform has no release of the agent.');
    return ctx.transact(async (em, queries) => {
      await holdLock(em, `agent updates ${ctx.licenseId}`);
      const hosts = await em.find(AgentHost, hostIds === undefined ? {} : { id: { $in: hostIds } }, {
        orderBy: { id: 'asc' },
      });
      if (hostIds !== undefined) refuseUnfit({ release, hosts, hostIds, allowsOlder });
      const outdated = hosts.filter((host) =>
        hostIds === undefined
          ? availableVersion(release, { platform: host.platform, agent_version: host.agentVersion }) !== null
          : host.agentVersion !== release.version,
      );
      const underWay = await em.find(Command, {
        hostId: { $in: outdated.map(({ id }) => id) },
        kind: verb,
        finishedAt: null,
      });
      const busy = new Set(underWay.map(({ hostId }) => hostId));
      const created = outdated
        .filter(({ id }) => !busy.has(id))
        .map(({ id: hostId }) =>
          newCommand(
            em,
            { id: null, hostId },
            {
              verb,
              args: { version: release.version, ...(allowsOlder && { allow_older: true }) },
              requestedBy: ctx.actor?.label ?? null,
            },
          ),
        );
      await em.flush();
      await enqueueRelays(
        em,
        created.map(({ hostId }) => hostId),
      );
      const commands = await commandsWithIds(
        queries,
        [...underWay, ...created].map(({ id }) => id),
      );
      return { version: release.version, commands };
    });
  }
}

interface Selection {
  release: Release;
  hosts: readonly AgentHost[];
  hostIds: readonly string[];
  allowsOlder: boolean;
}

/** Nothing is updated unless all selected hosts can be. */
function refuseUnfit({ release, hosts, hostIds, allowsOlder }: Selection): void {
  if (hosts.length < new Set(hostIds).size) throw notFound('host');
  const unfit = hosts.filter(({ platform }) => !hasExecutable(release, platform));
  if (unfit.length > 0)
    throw new DomainError(
      'no_agent_release',
      `The release of the agent has no executable for ${listed(unfit.map(({ hostname, platform }) => `${hostname} (${platform})`))}.`,
    );
  const newer = hosts.filter(({ agentVersion }) => isOlder(release.version, agentVersion) === true);
  if (newer.length > 0 && !allowsOlder)
    throw new DomainError(
      'agent_newer',
      `The release has version ${release.version}. Agents of these hosts are newer: ${listed(newer.map(({ hostname, agentVersion }) => `${hostname} (${agentVersion})`))}.`,
    );
}

const maxListed = 5;

const listed = (names: readonly string[]): string =>
  names.length <= maxListed
    ? names.join(', ')
    : `${names.slice(0, maxListed).join(', ')} and ${names.length - maxListed} more`;
