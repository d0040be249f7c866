// Known games: whether they read console input, and their commands to announce, save and reload plugins.
import type { FileInstance } from './config-schema.ts';

export interface ConsoleCommands {
  /** Whether the process reads console commands from its input. */
  hasInput: boolean;
  /** Contains `{message}`; null when the game has no such command. */
  announce: string | null;
  save: string | null;
  /** Matches the output line that confirms a save; null when none is known. */
  saved: RegExp | null;
  /** Contains `{plugin}`. Undefined when the installed framework decides, null when there are no plugins. */
  reloadPlugin: string | null | undefined;
}

const nothing: ConsoleCommands = {
  hasInput: true,
  announce: null,
  save: null,
  saved: null,
  reloadPlugin: undefined,
};
/** Dedicated servers that read no input. */
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
    // Only a time and a thread may come before the text; in a chat message the player's name does.
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

/** The configuration file overrides the defaults of the game. Only Rust servers support WebRCON. */
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
    // The output of a custom save command is unknown.
    saved: console.save === undefined ? known.saved : null,
    reloadPlugin: console.reload_plugin === undefined ? known.reloadPlugin : console.reload_plugin,
  };
}

/** Replaces `{message}` with the text. Within quotes, the text cannot end the quotation. */
export function announcementLine(template: string, message: string): string {
  const [before = '', after = ''] = template.split('{message}');
  const isQuoted = (before.match(/"/g) ?? []).length % 2 === 1;
  const text = isQuoted ? message.replaceAll('"', "'").replace(/\\+$/, '') : message;
  return `${before}${text}${after}`;
}
