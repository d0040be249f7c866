// Updates this agent: a new executable replaces the running one, and stays only if it reaches the platform.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Logger } from 'pino';
import { isOlder } from '../../../shared/versions.ts';
import type { Command, HandlersOf } from '../commands/command-handler.ts';
import { isFull } from '../errors.ts';
import { FileError } from '../instance-files/file-error.ts';
import { publishDurably } from '../state-files/durable-file.ts';
import { failed, messageOf, succeeded, type Outcome } from '../supervisor/outcome.ts';
import type { Installation } from './installation.ts';
import { ReleaseDownload } from './release-download.ts';

const run = promisify(execFile);
const versionTimeoutMs = 20_000;

/** How this process can be replaced. */
export interface OwnInstallation {
  /** Undefined if install.sh has not installed this agent. */
  installation: Installation | undefined;
  /** Whether this process serves several licenses. */
  isShared: boolean;
  /** Ends this process, and has the launcher start what is current then. */
  restart: () => Promise<void>;
}

export interface AgentUpdatesOptions extends OwnInstallation {
  platformUrl: string;
  agentVersion: string;
  platform: string;
  log: Logger;
}

export class AgentUpdates {
  readonly #options: AgentUpdatesOptions;
  /** Resolves once this executable may stay. */
  readonly #kept = Promise.withResolvers<void>();
  #isConfirming = false;

  constructor(options: AgentUpdatesOptions) {
    this.#options = options;
  }

  get commands(): HandlersOf<'update_agent'> {
    return {
      update_agent: {
        queueOf: () => ' agent',
        run: () => Promise.resolve(failed('internal', 'An update of the agent concerns no instance.')),
        runOnHost: (command) => this.#begin(command),
        finishInterrupted: (command) => this.#outcomeOf(command),
      },
    };
  }

  /** Called when the platform has replied to this agent. */
  greeted(): void {
    if (this.#isConfirming) return;
    this.#isConfirming = true;
    this.#confirm().catch((error: unknown) => {
      this.#isConfirming = false;
      this.#options.log.error({ err: error }, 'the trial of this agent cannot be confirmed yet');
    });
  }

  async #confirm(): Promise<void> {
    const { installation, restart, log } = this.#options;
    if (installation === undefined || (await installation.confirm())) {
      this.#kept.resolve();
      return;
    }
    log.error('the platform was reached too late; the former version of the agent starts again');
    await restart();
  }

  async #begin({ args: { version, allow_older } }: Command<'update_agent'>): Promise<Outcome> {
    const { installation, isShared, agentVersion, restart, log } = this.#options;
    if (version === agentVersion) return succeeded(`The agent has version ${version} already.`);
    if (installation === undefined)
      return failed(
        'not_supported',
        'This agent was not installed with install.sh of the platform, so it cannot replace itself. Update it in the way in which it was installed.',
      );
    if (isShared)
      return failed(
        'not_supported',
        'This agent serves several licenses, so no single one can update it. Run install.sh on the host.',
      );
    if (isOlder(version, agentVersion) === true && allow_older !== true)
      return failed('update_failed', `Version ${version} is older than ${agentVersion}, which runs.`);
    try {
      await this.#prepare(version, installation);
      log.info({ version }, 'the agent restarts with a new executable; the game servers continue to run');
      await restart();
    } catch (error) {
      await installation.cancelTrial();
      await installation.removeOthers([]);
      log.error({ err: error, version }, 'the agent cannot be updated');
      const isDiskFull = isFull(error) || (error instanceof FileError && error.code === 'disk_full');
      return failed(
        isDiskFull ? 'disk_full' : 'update_failed',
        `The agent keeps version ${agentVersion}: ${messageOf(error)}`,
      );
    }
    return new Promise(() => undefined); // the next agent reports the outcome
  }

  async #prepare(version: string, installation: Installation): Promise<void> {
    const { platformUrl, platform } = this.#options;
    const release = new ReleaseDownload(platformUrl);
    const wanted = await release.find({ version, platform, keyFile: installation.keyFile });
    // As install.sh names it.
    const name = `gantry-agent-${version}-${wanted.sha256.slice(0, 8)}`;
    const part = installation.pathOf(`${name}.part`);
    await installation.removeOthers([]);
    await release.fetch(wanted, part);
    const { stdout } = await run(part, ['--version'], { timeout: versionTimeoutMs });
    if (!stdout.startsWith(`gantry-agent ${version} (`))
      throw new Error(`The executable of version ${version} reports another version.`);
    await publishDurably(part, installation.pathOf(name));
    await installation.beginTrial(name);
  }

  /** The outcome of an update that a former process has begun. */
  async #outcomeOf({ args: { version } }: Command<'update_agent'>): Promise<Outcome> {
    const { agentVersion } = this.#options;
    if (version !== agentVersion)
      return failed(
        'update_failed',
        `The agent keeps version ${agentVersion}: version ${version} did not reach the platform in time, or the update was interrupted before it started.`,
      );
    await this.#kept.promise;
    return succeeded(`The agent has version ${version}.`);
  }
}
