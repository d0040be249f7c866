// Handles the platform's file requests: each concerns one instance of this host and fails with a contract error.
import type { FileHandle } from 'node:fs/promises';
import type { Msg } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { Address } from '../bus/platform-link.ts';
import type { FileVerb } from '../bus/subjects.ts';
import { cutDetail } from '../messages.ts';
import type { Messages, Schemas } from '../messages.ts';
import { asFileError, FileError } from './file-error.ts';
import type { InstanceFiles } from './instance-files.ts';
import { maxPluginFileBytes } from '../plugin-files/store.ts';
import { maxPluginBytes } from '../plugins/plugin-source.ts';
import type { Destination, Transfers } from './transfers.ts';

type Question = Schemas['FileQuestion'];
type Answer = Omit<Schemas['FileAnswer'], 'v' | 'ok' | 'error'>;

/** Opens a destination for the source of a plugin. */
export type StagePlugin = (
  id: string,
  wanted: { name: string; plugin: string; isReplacing: boolean },
) => Promise<Destination>;

/** Paths and uploads of plugin files. */
export interface PluginFilePlaces {
  /** Returns the path relative to the instance's root. */
  pathOf: (instance: string, file: string) => string;
  /** Opens a destination for the content of one plugin file. */
  stage: (instance: string, id: string) => Promise<Destination>;
}

export interface FileQuestionOptions {
  instance: (name: string) => InstanceFiles | undefined;
  openBackup: (instance: string, id: string) => Promise<FileHandle>;
  transfers: Transfers;
  stagePlugin: StagePlugin;
  pluginFiles: PluginFilePlaces;
  messages: Messages;
  log: Logger;
}

/** Maximum length of the JSON line, which holds a transfer id and a sequence number. */
const longestLine = 1024;
const lineFeed = 10;

export class FileQuestions {
  readonly #options: FileQuestionOptions;

  constructor(options: FileQuestionOptions) {
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
      const answer =
        verb === 'file-chunk'
          ? await this.#chunk(message.data, hostId)
          : JSON.stringify({
              v: 1,
              ok: true,
              ...(await this.#answer(verb, this.#question(message, hostId))),
            });
      message.respond(answer);
    } catch (thrown) {
      const { code, message: detail } = asFileError(thrown);
      log.info(
        { verb, code, err: thrown instanceof FileError ? undefined : thrown },
        'a file question failed',
      );
      const answer = JSON.stringify({ v: 1, ok: false, error: { code, detail: cutDetail(detail) } });
      message.respond(verb === 'file-chunk' ? `${answer}\n` : answer);
    }
  }

  #question(message: Msg, hostId: string): Question {
    const parsed = this.#options.messages.parse('FileQuestion', message.string());
    if (!parsed.isValid) throw new FileError('invalid', parsed.detail);
    if (parsed.value.host_id !== hostId) throw otherHost();
    return parsed.value;
  }

  async #answer(verb: Exclude<FileVerb, 'file-chunk'>, question: Question): Promise<Answer> {
    const { instance, openBackup, pluginFiles, transfers, stagePlugin } = this.#options;
    const files = instance(question.instance);
    if (files === undefined)
      throw new FileError('unknown_instance', `This host has no instance "${question.instance}".`);
    const path = question.path ?? '';
    switch (verb) {
      case 'file-list':
        return files.list(path, given(question.limit), question.after);
      case 'file-stat':
        return { entry: await files.stat(path) };
      case 'file-read': {
        const { content, ...rest } = await files.read(path);
        return { ...rest, data: content.toString('base64') };
      }
      case 'file-write':
        return files.write(path, Buffer.from(given(question.data), 'base64'), question.if_match);
      case 'file-make-directory':
        return { entry: await files.makeDirectory(path) };
      case 'file-rename':
        return { entry: await files.rename(path, given(question.new_path), question.overwrite === true) };
      case 'file-delete':
        await files.delete(path, question.recursive === true);
        return {};
      case 'file-download':
        if (question.plugin_file !== undefined) {
          const place = pluginFiles.pathOf(question.instance, question.plugin_file);
          return { ...(await transfers.download(files, () => files.open(place))), path: place };
        }
        return transfers.download(files, () =>
          question.backup_id === undefined
            ? files.open(path)
            : openBackup(question.instance, question.backup_id),
        );
      case 'file-upload':
        return transfers.upload(files, path, question.overwrite === true);
      case 'file-upload-plugin': {
        const isReplacing = question.overwrite === true;
        const wanted = { name: question.instance, plugin: given(question.plugin), isReplacing };
        return transfers.receive(files, (id) => stagePlugin(id, wanted), {
          isReplacing,
          maxBytes: maxPluginBytes,
        });
      }
      case 'file-upload-plugin-file':
        return transfers.receive(files, (id) => pluginFiles.stage(question.instance, id), {
          isReplacing: false,
          maxBytes: maxPluginFileBytes,
        });
      case 'file-finish':
        return {
          entry: await transfers.finish(
            given(question.transfer),
            given(question.size),
            given(question.sha256),
          ),
        };
      case 'file-end':
        await transfers.end(given(question.transfer));
        return {};
    }
  }

  /** Requests and replies consist of a line of JSON followed by the bytes. */
  async #chunk(data: Uint8Array, hostId: string): Promise<Uint8Array> {
    const end = data.subarray(0, longestLine).indexOf(lineFeed);
    if (end === -1) throw new FileError('invalid', 'The part has no line of JSON.');
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

const otherHost = () => new FileError('invalid', 'The question names another host.');

function given<T>(value: T | undefined): T {
  if (value === undefined) throw new FileError('invalid', 'The question lacks a field that it needs.');
  return value;
}
