// Sources of plugins for tests, and how one is brought to an agent.
import { createHash } from 'node:crypto';
import type { Schemas } from '../../../agent/src/messages.ts';
import type { Stage } from './agent.ts';

export const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

/** A plugin that loads, or one that does not compile. */
export function sourceOf(name: string, version = '1.0.0', fault?: string): string {
  const broken = fault === undefined ? '' : `#error ${fault}\n`;
  return `${broken}namespace Oxide.Plugins {
  [Info("The ${name}", "Aster", "${version}")]
  class ${name} : RustPlugin { }
}
`;
}

type Reply = Schemas['FileReply'];

export class PluginSender {
  readonly #stage: Stage;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  ask(verb: string, question: object): Promise<Reply> {
    const { platform } = this.#stage;
    const body = { v: 1, host_id: platform.hostId, instance: 'main', ...question };
    return platform.request('FileReply', `ask.file-${verb}`, body);
  }

  /** Uploads it; returns the last reply and the id of the upload. */
  async upload(plugin: string, source: string | Buffer, overwrite = false): Promise<Reply & { id: string }> {
    const { platform } = this.#stage;
    const bytes = Buffer.from(source);
    const begun = await this.ask('upload-plugin', { plugin, overwrite });
    const id = begun.transfer ?? '';
    if (!begun.ok) return { ...begun, id };
    const chunkBytes = 256 * 1024;
    for (let seq = 0; seq * chunkBytes < bytes.byteLength; seq += 1) {
      const head = JSON.stringify({ v: 1, host_id: platform.hostId, transfer: id, seq });
      const part = bytes.subarray(seq * chunkBytes, (seq + 1) * chunkBytes);
      const reply = await platform.nats.request(
        `gantry.${platform.hostId}.ask.file-chunk`,
        Buffer.concat([Buffer.from(`${head}\n`), part]),
        { timeout: 5_000 },
      );
      const result = JSON.parse(reply.string().trimEnd()) as Reply;
      if (!result.ok) return { ...result, id };
    }
    const size = bytes.byteLength;
    return { ...(await this.ask('finish', { transfer: id, size, sha256: sha256(bytes) })), id };
  }

  async install(plugin: string, source: string, overwrite = false): Promise<Schemas['CommandResult']> {
    const { ok, id, error } = await this.upload(plugin, source, overwrite);
    if (!ok) throw new Error(error?.detail);
    return this.run('install_plugin', { plugin, upload: id, sha256: sha256(source), overwrite });
  }

  async run(verb: Schemas['CommandVerb'], args: object): Promise<Schemas['CommandResult']> {
    const { platform } = this.#stage;
    const command = platform.command(verb, 'main', { args: { by: 'owner@example.com', ...args } });
    const reply = await platform.send(command);
    if (!reply.accepted) throw new Error(`${verb} refused: ${reply.detail}`);
    return platform.resultOf(command.id);
  }

  list(): Promise<Schemas['PluginsReply']> {
    const { platform } = this.#stage;
    const question = { v: 1, host_id: platform.hostId, instance: 'main' };
    return platform.request('PluginsReply', 'ask.plugins', question);
  }

  async copies(): Promise<Schemas['KeptPlugin'][]> {
    const { platform } = this.#stage;
    const question = { v: 1, host_id: platform.hostId, instance: 'main' };
    return (await platform.request('PluginCopiesReply', 'ask.plugin-copies', question)).copies ?? [];
  }
}
