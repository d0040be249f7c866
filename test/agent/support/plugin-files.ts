// Contents for files of plugins of one instance, brought to an agent and applied there.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Schemas } from '../../../agent/src/messages.ts';
import type { Stage } from './agent.ts';

type Reply = Schemas['FileReply'];

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The instance runs in the folder of its name in the agent's directory. */
export class PluginFileSender {
  readonly instance: string;
  readonly #stage: Stage;
  readonly #framework: 'oxide' | 'carbon';

  constructor(stage: Stage, instance: string, framework: 'oxide' | 'carbon' = 'oxide') {
    this.#stage = stage;
    this.instance = instance;
    this.#framework = framework;
  }

  get directory(): string {
    return join(this.#stage.agent.directory, this.instance);
  }

  /** Where the agent keeps what it is at. */
  get storeDirectory(): string {
    return join(this.#stage.agent.stateDirectory, 'instances', this.instance, 'plugin-files');
  }

  pathOf(file: string): string {
    const place = this.#framework === 'carbon' ? file.replace(/^config\//, 'configs/') : file;
    return join(this.directory, this.#framework, place);
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(this.pathOf(file)), { recursive: true });
    writeFileSync(this.pathOf(file), text);
  }

  remove(file: string): void {
    rmSync(this.pathOf(file), { force: true });
  }

  /** Null when there is none. */
  read(file: string): string | null {
    return existsSync(this.pathOf(file)) ? readFileSync(this.pathOf(file), 'utf8') : null;
  }

  ask(verb: string, question: object): Promise<Reply> {
    const { platform } = this.#stage;
    const body = { v: 1, host_id: platform.hostId, instance: this.instance, ...question };
    return platform.request('FileReply', `ask.file-${verb}`, body);
  }

  /** The id under which the agent keeps it. */
  async upload(text: string): Promise<string> {
    const { platform } = this.#stage;
    const { transfer = '' } = await this.ask('upload-plugin-file', {});
    const head = JSON.stringify({ v: 1, host_id: platform.hostId, transfer, seq: 0 });
    await platform.nats.request(
      `gantry.${platform.hostId}.ask.file-chunk`,
      Buffer.concat([Buffer.from(`${head}\n`), Buffer.from(text)]),
      { timeout: 5_000 },
    );
    await this.ask('finish', { transfer, size: Buffer.byteLength(text), sha256: sha256(text) });
    return transfer;
  }

  /** The command that writes these, over what is there now. */
  async command(contents: Record<string, string>, more: object = {}): Promise<Schemas['CommandEnvelope']> {
    const files = [];
    for (const [file, text] of Object.entries(contents)) {
      const present = this.read(file);
      files.push({
        file,
        upload: await this.upload(text),
        sha256: sha256(text),
        present: present === null ? null : sha256(present),
      });
    }
    return this.#stage.platform.command('apply_plugin_files', this.instance, {
      args: { files, plugins: ['Toy'], is_unloaded_first: false, by: 'owner@example.com', ...more },
    });
  }

  async send(command: Schemas['CommandEnvelope']): Promise<Schemas['CommandResult']> {
    const { platform } = this.#stage;
    const reply = await platform.send(command);
    if (!reply.accepted) throw new Error(`the command was refused: ${reply.detail}`);
    return platform.resultOf(command.id);
  }

  async apply(contents: Record<string, string>, more: object = {}): Promise<Schemas['CommandResult']> {
    return this.send(await this.command(contents, more));
  }
}
