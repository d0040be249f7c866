// Reads and changes the game servers' settings, and compares the saved settings with the deployed ones.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { components } from '../../../generated/local-manager.d.ts';
import { Versioned } from '../../../src/contract/replies.ts';
import type { Battlegroups } from '../battlegroup/battlegroups.ts';
import { readGuestFile, replaceGuestFiles } from '../guest-shell/guest-files.ts';
import type { GuestShell } from '../guest-shell/guest-shell.ts';
import type { Guest } from '../guest-shell/guest.ts';
import type { Operation } from '../operations/operation-run.ts';
import type { Operations } from '../operations/operations.ts';
import { refusal } from '../refusals.ts';
import type { Secrets } from '../security/secrets.ts';
import { writeWhole } from '../whole-files.ts';
import {
  differingKeys,
  documentsOf,
  files,
  refuseInvalid,
  valueIn,
  versionOf,
  viewSetting,
  withSecretsOf,
  type Documents,
  type Files,
} from './config-documents.ts';
import { readDeployed } from './deployed-files.ts';
import { IniDocument } from './ini-document.ts';
import { PendingChangeNote, progressOf } from './pending-change.ts';
import { hidden, settings, type ConfigFile } from './settings.ts';
import { refuseOverlap, wantedOf, type Changes } from './wanted-changes.ts';

type Schemas = components['schemas'];
interface Parts {
  guest: Guest;
  battlegroups: Battlegroups;
  operations: Operations;
  secrets: Secrets;
  home: string;
}

export class GameConfig {
  readonly #guest: Guest;
  readonly #battlegroups: Battlegroups;
  readonly #operations: Operations;
  readonly #secrets: Secrets;
  readonly #folder: string;
  readonly #pending: PendingChangeNote;
  #settling: Promise<Files> | undefined;

  constructor({ guest, battlegroups, operations, secrets, home }: Parts) {
    this.#guest = guest;
    this.#battlegroups = battlegroups;
    this.#operations = operations;
    this.#secrets = secrets;
    this.#folder = join(home, 'game-config');
    this.#pending = new PendingChangeNote(this.#folder);
  }

  async get(): Promise<Versioned<Schemas['GameConfig']>> {
    return this.#view(await this.#guest.open());
  }

  async getFiles(): Promise<Versioned<Schemas['GameConfigFiles']>> {
    return this.#viewFiles(await this.#guest.open());
  }

  async updateFiles(
    contents: Schemas['GameConfigFiles'],
    expectedHashes: readonly string[] | null,
  ): Promise<Versioned<Schemas['GameConfigFiles']>> {
    this.#operations.refuseWhileRunning();
    const shell = await this.#guest.open();
    const before = await this.#settled(shell);
    if (expectedHashes?.includes(versionOf(before)) !== true)
      throw refusal('stale_version', 'The files have changed in the meantime; check them again.');
    const documents = withSecretsOf(documentsOf(before), {
      'UserEngine.ini': new IniDocument(contents.engine),
      'UserGame.ini': new IniDocument(contents.game),
    });
    refuseInvalid(documents);
    for (const setting of settings.filter(({ isSecret }) => isSecret))
      this.#secrets.add(valueIn(documents, setting) ?? '');
    return this.#operations.begin(
      'changeGameConfig',
      async (run) => {
        await run.step('Write the files', () => this.#write(shell, before, documents));
        return this.#viewFiles(shell);
      },
      () => ({
        summary: 'The files are saved. Apply them to the servers at a time that suits your players.',
      }),
    ).result;
  }

  async #viewFiles(shell: GuestShell): Promise<Versioned<Schemas['GameConfigFiles']>> {
    const saved = await this.#settled(shell);
    const documents = documentsOf(saved);
    for (const setting of settings.filter(({ isSecret }) => isSecret)) {
      const secret = valueIn(documents, setting);
      if (secret === null || secret === '') continue;
      this.#secrets.add(secret);
      documents[setting.file].set(setting.section, setting.key, `"${hidden}"`);
    }
    const body = {
      engine: documents['UserEngine.ini'].toString(),
      game: documents['UserGame.ini'].toString(),
    };
    return new Versioned(body, versionOf(saved));
  }

  async update(
    changes: Changes,
    expectedHashes: readonly string[] | null,
  ): Promise<Versioned<Schemas['GameConfig']>> {
    const wanted = wantedOf(changes, this.#secrets);
    this.#operations.refuseWhileRunning();
    const shell = await this.#guest.open();
    const before = await this.#settled(shell);
    if (expectedHashes?.includes(versionOf(before)) !== true)
      throw refusal('stale_version', 'The settings have changed in the meantime; check them again.');
    const documents = documentsOf(before);
    for (const { setting, written } of wanted) {
      const document = documents[setting.file];
      if (written === null) document.delete(setting.section, setting.key);
      else document.set(setting.section, setting.key, written);
    }
    const ports = changes.findIndex(({ section }) => section === 'URL');
    refuseOverlap(documents['UserEngine.ini'], `/changes/${ports}/value`);
    return this.#operations.begin(
      'changeGameConfig',
      async (run) => {
        await run.step('Write the settings', () => this.#write(shell, before, documents));
        return this.#view(shell);
      },
      () => ({
        summary: 'The settings are saved. Apply them to the servers at a time that suits your players.',
      }),
    ).result;
  }

  /** Writes both files or neither: they belong together. */
  async #write(shell: GuestShell, before: Files, documents: Documents): Promise<void> {
    const contentOf = (file: ConfigFile) => Buffer.from(documents[file].toString());
    const changes = files
      .map((file) => ({ path: this.#path(file), before: before[file], content: contentOf(file) }))
      .filter(({ before: { content: held }, content }) => !content.equals(held));
    const sides = (file: ConfigFile) => ({ before: before[file].content, after: contentOf(file) });
    await this.#pending.write({
      'UserEngine.ini': sides('UserEngine.ini'),
      'UserGame.ini': sides('UserGame.ini'),
    });
    if (changes.length > 0) await replaceGuestFiles(shell, changes);
    await this.#keepOwn(documents);
  }

  /** The saved files, after settling a change that was interrupted. */
  async #settled(shell: GuestShell): Promise<Files> {
    this.#settling ??= this.#settle(shell).finally(() => (this.#settling = undefined));
    return this.#settling;
  }

  async #settle(shell: GuestShell): Promise<Files> {
    const pending = await this.#pending.read();
    const saved = await this.#saved(shell);
    // A change that is being written now is settled by its own operation.
    if (pending === undefined || this.#operations.running?.kind === 'changeGameConfig') return saved;
    const contents = {
      'UserEngine.ini': saved['UserEngine.ini'].content,
      'UserGame.ini': saved['UserGame.ini'].content,
    };
    const progress = progressOf(pending, contents);
    if (progress === 'written') {
      await this.#keepOwn(documentsOf(saved));
      return saved;
    }
    const halves = files.filter((file) => !contents[file].equals(pending[file].before));
    if (progress === 'half')
      await replaceGuestFiles(
        shell,
        halves.map((file) => ({
          path: this.#path(file),
          before: saved[file],
          content: pending[file].before,
        })),
      );
    await this.#pending.remove();
    return progress === 'half' ? this.#saved(shell) : saved;
  }

  /** Used later to detect changes made outside the manager. */
  async #keepOwn(documents: Documents): Promise<void> {
    for (const file of files) await writeWhole(join(this.#folder, file), documents[file].toString());
    await this.#pending.remove();
  }

  async deploy(): Promise<Operation> {
    this.#operations.refuseWhileRunning();
    const shell = await this.#guest.open();
    await this.#battlegroups.only(shell);
    await this.#settled(shell);
    return this.#operations.start('deployGameConfig', async (run) => {
      await run.step('Apply the settings to the servers', () =>
        this.#battlegroups.command(run, shell, 'apply-default-usersettings'),
      );
      return {
        summary: 'The servers have the settings and read them when they start.',
        requiresBattlegroupRestart: true,
      };
    });
  }

  async #view(shell: GuestShell): Promise<Versioned<Schemas['GameConfig']>> {
    const saved = await this.#settled(shell);
    const documents = documentsOf(saved);
    const deployed = await readDeployed(shell, this.#battlegroups);
    for (const setting of settings.filter(({ isSecret }) => isSecret))
      for (const from of [documents, ...(deployed === undefined ? [] : [deployed])])
        this.#secrets.add(valueIn(from, setting) ?? '');
    const own = await this.#own();
    const rows = settings.map((setting) => viewSetting(setting, documents, deployed));
    const differing = deployed === undefined ? [] : differingKeys(documents, deployed);
    const putBack = own === undefined ? [] : differingKeys(own, documents);
    const details = [
      ...(deployed === undefined ? ['The files of the game servers cannot be read now.'] : []),
      ...(differing.length > 0 ? [`The servers have other values of ${namesOf(differing)}.`] : []),
      ...(putBack.length > 0
        ? [`${namesOf(putBack)} changed outside the manager, for example by an update.`]
        : []),
    ];
    const drift =
      differing.length + putBack.length > 0 ? 'differs' : deployed === undefined ? 'unknown' : 'none';
    const body = { settings: rows, drift, driftDetail: details.join(' ') || null } as const;
    return new Versioned(body, versionOf(saved));
  }

  async #saved(shell: GuestShell): Promise<Files> {
    const [engine, game] = await Promise.all(files.map((file) => readGuestFile(shell, this.#path(file))));
    return { 'UserEngine.ini': engine, 'UserGame.ini': game } as Files;
  }

  /** The manager's last saved version; undefined if it has saved nothing yet. */
  async #own(): Promise<Documents | undefined> {
    const texts = await Promise.all(
      files.map((file) => readFile(join(this.#folder, file), 'utf8').catch(() => undefined)),
    );
    const [engine, game] = texts;
    if (engine === undefined || game === undefined) return undefined;
    return { 'UserEngine.ini': new IniDocument(engine), 'UserGame.ini': new IniDocument(game) };
  }

  #path(file: ConfigFile): string {
    return `${this.#guest.folder}/download/scripts/setup/config/${file}`;
  }
}

const maxNames = 8;
const maxNameLength = 60;

/** The first of these keys in words: lines of the raw editor can be many and long. */
function namesOf(keys: readonly string[]): string {
  const names = keys
    .slice(0, maxNames)
    .map((key) => (key.length > maxNameLength ? `${key.slice(0, maxNameLength)}…` : key));
  return [...names, ...(keys.length > maxNames ? [`${keys.length - maxNames} more`] : [])].join(', ');
}
