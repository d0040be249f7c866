// Handles the platform's file requests: each concerns one instance of this host and fails with a contract error.
import type { FileHandle } from 'node:fs/promises';
import type { Msg } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { Address } from '../bus/platform-link.ts';
import type { FileVerb } from '../../../generated/agent-bus.protocol.ts';
import { cutDetail } from '../messages.ts';
import type { Messages, Schemas } from '../messages.ts';
import { openSettled } from './content.ts';
import type { DataConnection } from './data-connection.ts';
import { asFileError, FileError } from './file-error.ts';
import type { InstanceFiles } from './instance-files.ts';
import { maxPluginFileBytes } from '../plugin-files/plugin-file-store.ts';
import { maxPluginBytes } from '../plugins/plugin-source.ts';
import type { Destination, Transfers } from './transfers.ts';

type FileRequest = Schemas['FileRequest'];
type Reply = Omit<Schemas['FileReply'], 'v' | 'ok' | 'error'>;

/** A verb of the contract without a handler does not compile. */
type FileRequestHandlers = {
  [Verb in Exclude<FileVerb, 'file-chunk'>]: (
    files: InstanceFiles,
    request: FileRequest & { path: string },
  ) => Reply | Promise<Reply>;
};

/** Opens a destination for the source of a plugin. */
export type StagePlugin = (
  id: string,
  wanted: { name: string; plugin: string; isReplacing: boolean },
) => Promise<Destination>;

/** Paths and uploads of plugin files. */
export interface PluginFilePaths {
  /** Returns the path relative to the instance's root. */
  pathOf: (instance: string, file: string) => string;
  /** Opens a destination for the content of one plugin file. */
  stage: (instance: string, id: string) => Promise<Destination>;
}

export interface FileRequestOptions {
  instance: (name: string) => InstanceFiles | undefined;
  openBackup: (instance: string, id: string) => Promise<FileHandle>;
  transfers: Transfers;
  /** Opens a data connection with the ticket. */
  openConnection: (ticket: string) => Promise<DataConnection>;
  stagePlugin: StagePlugin;
  pluginFiles: PluginFilePaths;
  messages: Messages;
  log: Logger;
}

/** Maximum length of the JSON line, which holds a transfer id and a sequence number. */
const maxLineBytes = 1024;
const lineFeed = 10;

export class FileRequests {
  readonly #options: FileRequestOptions;
  readonly #handlers: FileRequestHandlers = {
    'file-list': (files, { path, limit, after }) => files.list(path, given(limit), after),
    'file-stat': async (files, { path }) => ({ entry: await files.stat(path) }),
    'file-read': async (files, { path }) => {
      const { content, ...rest } = await files.read(path);
      return { ...rest, data: content.toString('base64') };
    },
    'file-write': (files, { path, data, if_match }) =>
      files.write(path, Buffer.from(given(data), 'base64'), if_match),
    'file-make-directory': async (files, { path }) => ({ entry: await files.makeDirectory(path) }),
    'file-rename': async (files, { path, new_path, overwrite }) => ({
      entry: await files.rename(path, given(new_path), overwrite === true),
    }),
    'file-delete': async (files, { path, recursive }) => {
      await files.delete(path, recursive === true);
      return {};
    },
    'file-download': (files, request) => this.#download(files, request),
    'file-upload': (files, { path, overwrite }) =>
      this.#options.transfers.upload(files, path, overwrite === true),
    'file-upload-plugin': (files, { instance: name, plugin, overwrite }) => {
      const isReplacing = overwrite === true;
      const wanted = { name, plugin: given(plugin), isReplacing };
      const { transfers, stagePlugin } = this.#options;
      return transfers.receive(files, (id) => stagePlugin(id, wanted), {
        isReplacing,
        maxBytes: maxPluginBytes,
      });
    },
    'file-upload-plugin-file': (files, { instance }) => {
      const { transfers, pluginFiles } = this.#options;
      return transfers.receive(files, (id) => pluginFiles.stage(instance, id), {
        isReplacing: false,
        maxBytes: maxPluginFileBytes,
      });
    },
    'file-connect': async (_files, { transfer, ticket }) => {
      const { transfers, openConnection } = this.#options;
      const known = given(ticket);
      await transfers.connect(given(transfer), () => openConnection(known));
      return {};
    },
    'file-finish': async (_files, { transfer, size, sha256 }) => ({
      entry: await this.#options.transfers.finish(given(transfer), given(size), given(sha256)),
    }),
    'file-end': async (_files, { transfer }) => {
      await this.#options.transfers.end(given(transfer));
      return {};
    },
  };

  constructor(options: FileRequestOptions) {
    this.#options = options;
  }

  /** Replies to the message if it is a file request; returns null otherwise. */
  take(message: Msg, address: Address): Promise<void> | null {
    const verb = address.subjects.fileVerb(message.subject);
    if (verb === null) return null;
    if (message.reply === undefined || message.reply === '') return Promise.resolve();
    return this.#respond(message, verb, address);
  }

  async #respond(message: Msg, verb: FileVerb, { hostId }: Address): Promise<void> {
    const { log } = this.#options;
    try {
      const reply =
        verb === 'file-chunk'
          ? await this.#chunk(message.data, hostId)
          : JSON.stringify({
              v: 1,
              ok: true,
              ...(await this.#replyTo(verb, this.#parsed(message, hostId))),
            });
      message.respond(reply);
    } catch (thrown) {
      const { code, message: detail } = asFileError(thrown);
      log.info(
        { verb, code, err: thrown instanceof FileError ? undefined : thrown },
        'a file request failed',
      );
      const reply = JSON.stringify({ v: 1, ok: false, error: { code, detail: cutDetail(detail) } });
      message.respond(verb === 'file-chunk' ? `${reply}\n` : reply);
    }
  }

  #parsed(message: Msg, hostId: string): FileRequest {
    const parsed = this.#options.messages.parse('FileRequest', message.string());
    if (!parsed.isValid) throw new FileError('invalid', parsed.detail);
    if (parsed.value.host_id !== hostId) throw otherHost();
    return parsed.value;
  }

  async #replyTo(verb: keyof FileRequestHandlers, request: FileRequest): Promise<Reply> {
    const files = this.#options.instance(request.instance);
    if (files === undefined)
      throw new FileError('unknown_instance', `This host has no instance "${request.instance}".`);
    return this.#handlers[verb](files, { ...request, path: request.path ?? '' });
  }

  async #download(
    files: InstanceFiles,
    { instance, path, plugin_file, backup_id }: FileRequest & { path: string },
  ): Promise<Reply> {
    const { transfers, pluginFiles, openBackup } = this.#options;
    if (plugin_file !== undefined) {
      const place = pluginFiles.pathOf(instance, plugin_file);
      return {
        ...(await transfers.download(files, () => openSettled(() => files.open(place)))),
        path: place,
      };
    }
    return transfers.download(files, () =>
      backup_id === undefined ? files.open(path) : openBackup(instance, backup_id),
    );
  }

  /** Requests and replies consist of a line of JSON followed by the bytes. */
  async #chunk(data: Uint8Array, hostId: string): Promise<Uint8Array> {
    const end = data.subarray(0, maxLineBytes).indexOf(lineFeed);
    if (end === -1) throw new FileError('invalid', 'The part has no JSON line.');
    const parsed = this.#options.messages.parse(
      'FileChunk',
      Buffer.from(data.subarray(0, end)).toString('utf8'),
    );
    if (!parsed.isValid) throw new FileError('invalid', parsed.detail);
    const { host_id, transfer, seq } = parsed.value;
    if (host_id !== hostId) throw otherHost();
    const { bytes, sha256 } = await this.#options.transfers.take(transfer, seq, data.subarray(end + 1));
    const line = `${JSON.stringify({ v: 1, ok: true, seq, ...(sha256 !== undefined && { sha256 }) })}\n`;
    return Buffer.concat([Buffer.from(line), ...(bytes === undefined ? [] : [bytes])]);
  }
}

const otherHost = () => new FileError('invalid', 'The request names another host.');

function given<T>(value: T | undefined): T {
  if (value === undefined) throw new FileError('invalid', 'The request lacks a required field.');
  return value;
}
