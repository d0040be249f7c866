// What the agent knows of games: whether they read their input, and by which console commands they announce, save and reload.
import type { FileInstance } from './config-schema.ts';

export interface ConsoleCommands {
  /** Whether the process reads console commands from its input. */
  hasInput: boolean;
  /** With `{message}`; null where the game has no such command. */
  announce: string | null;
  save: string | null;
  /** What a line of output looks like by which the game says that it has saved; null where none is known. */
  saved: RegExp | null;
  /** With `{plugin}`. Undefined where the framework that is installed decides, null where there are no plugins. */
  reloadPlugin: string | null | undefined;
}

const nothing: ConsoleCommands = {
  hasInput: true,
  announce: null,
  save: null,
  saved: null,
  reloadPlugin: undefined,
};
/** Their dedicated servers read no input. */
const withoutInput: ConsoleCommands = { ...nothing, hasInput: false, reloadPlugin: null };
const source: ConsoleCommands = { ...nothing, announce: 'say {message}', reloadPlugin: null };

const knownGames: Readonly<Record<string, ConsoleCommands>> = {
  ark: withoutInput,
  cs2: source,
  csgo: source,
  gmod: source,
  luanti: withoutInput,
  minecraft: {
    ...nothing,
    announce: 'say {message}',
    save: 'save-all',
    // After the time and the thread, where a chat message has the player's name.
    saved: /^\[[^\]]*\](?: \[[^\]]*\])*: Saved the game$/,
    reloadPlugin: null,
  },
  minetest: withoutInput,
  openttd: { ...nothing, announce: 'say "{message}"', save: 'save autosave', reloadPlugin: null },
  'project-zomboid': { ...nothing, announce: 'servermsg "{message}"', save: 'save', reloadPlugin: null },
  rust: {
    ...nothing,
    announce: 'say {message}',
    save: 'server.save',
    saved: /^Saved [\d.,\s]+ ents\b/,
  },
  teeworlds: withoutInput,
  terraria: { ...nothing, announce: 'say {message}', save: 'save', reloadPlugin: null },
  tf2: source,
  valheim: withoutInput,
};

/** The file wins over what is known of the game. WebRCON is spoken by Rust servers only. */
export function consoleCommandsOf({
  game,
  webrcon,
  console,
}: Pick<FileInstance, 'game' | 'webrcon' | 'console'>): ConsoleCommands {
  const name = game ?? (webrcon === undefined ? undefined : 'rust');
  const known = (name !== undefined && Object.hasOwn(knownGames, name) && knownGames[name]) || nothing;
  return {
    hasInput: console.input ?? known.hasInput,
    announce: console.announce === undefined ? known.announce : console.announce,
    save: console.save === undefined ? known.save : console.save,
    // What another command prints is not known.
    saved: console.save === undefined ? known.saved : null,
    reloadPlugin: console.reload_plugin === undefined ? known.reloadPlugin : console.reload_plugin,
  };
}

/** The command with the text in the place of `{message}`; between quotes the text can't end them. */
export function announcementLine(template: string, message: string): string {
  const [before = '', after = ''] = template.split('{message}');
  const isQuoted = (before.match(/"/g) ?? []).length % 2 === 1;
  const text = isQuoted ? message.replaceAll('"', "'").replace(/\\+$/, '') : message;
  return `${before}${text}${after}`;
}
