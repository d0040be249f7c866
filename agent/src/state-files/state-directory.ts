// Defines the paths in the agent's state directory, and locks it against a second agent.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SettingError, hasCode } from '../errors.ts';
import type { ProcessHost } from '../supervisor/process-host.ts';

export class StateDirectory {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
    try {
      mkdirSync(join(path, 'instances'), { recursive: true, mode: 0o700 });
    } catch (error) {
      throw new SettingError(
        `GANTRY_AGENT_STATE (state_dir) ${path}: ${error instanceof Error ? error.message : 'cannot be made'}`,
      );
    }
  }

  get seedFile(): string {
    return join(this.path, 'agent.nk');
  }
  get journalFile(): string {
    return join(this.path, 'journal.jsonl');
  }
  get outboxFile(): string {
    return join(this.path, 'outbox.jsonl');
  }
  get deliveriesFile(): string {
    return join(this.path, 'deliveries.jsonl');
  }
  get instancesDirectory(): string {
    return join(this.path, 'instances');
  }

  instanceFile(instance: string, file: string): string {
    return join(this.path, 'instances', instance, file);
  }

  ensureInstance(instance: string): void {
    mkdirSync(join(this.path, 'instances', instance), { recursive: true, mode: 0o700 });
  }

  removeInstance(instance: string): void {
    rmSync(join(this.path, 'instances', instance), { recursive: true, force: true });
  }

  /** Two agents with the same state directory would start every server twice. */
  async lock(host: ProcessHost): Promise<() => void> {
    const lockFile = join(this.path, 'agent.lock');
    const self = await host.identify(process.pid).catch((error: unknown) => {
      throw new SettingError(
        `GANTRY_AGENT_STATE (state_dir) ${this.path} cannot be locked: ${error instanceof Error ? error.message : 'unknown'}`,
      );
    });
    const text = JSON.stringify(self ?? { pid: process.pid, mark: '' });
    for (let attempt = 0; attempt < 3; attempt += 1) {
      try {
        writeFileSync(lockFile, text, { flag: 'wx', mode: 0o600 });
        return () => {
          if (readText(lockFile) === text) rmSync(lockFile, { force: true });
        };
      } catch (error) {
        if (!hasCode(error, 'EEXIST')) throw error;
      }
      const owner = parseOwner(readText(lockFile));
      const living = owner === null ? null : await host.identify(owner.pid);
      if (owner !== null && living !== null && living.mark === owner.mark) {
        throw new SettingError(
          `GANTRY_AGENT_STATE (state_dir) ${this.path} is in use by the agent with pid ${owner.pid}`,
        );
      }
      rmSync(lockFile, { force: true });
    }
    throw new SettingError(`GANTRY_AGENT_STATE (state_dir) ${this.path} is in use by another agent`);
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return '';
    throw error;
  }
}

function parseOwner(text: string): { pid: number; mark: string } | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('mark' in value)) return null;
    return typeof value.pid === 'number' && typeof value.mark === 'string'
      ? { pid: value.pid, mark: value.mark }
      : null;
  } catch {
    return null; // torn by a crash, so no agent holds it
  }
}
