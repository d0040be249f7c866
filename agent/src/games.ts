// What the agent knows of games: whether they read their input, and by which console commands they announce, save and reload.
import type { FileInstance } from './config-schema.ts';

export interface ConsoleCommands {
  /** Whether the process reads console commands from its input. */
  hasInput: boolean;
  /** With `{message}`; null where the game has no such command. */
  announce: string | null;
  save: string | null;
  /** With `{plugin}`. Undefined where the framework that is installed decides, null where there are no plugins. */
  reloadPlugin: string | null | undefined;
}

const nothing: ConsoleCommands = { hasInput: true, announce: null, save: null, reloadPlugin: undefined };
/** Their dedicated servers read no input. */
const deaf: ConsoleCommands = { hasInput: false, announce: null, save: null, reloadPlugin: null };
const source: ConsoleCommands = { ...nothing, announce: 'say {message}', reloadPlugin: null };

const knownGames: Readonly<Record<string, ConsoleCommands>> = {
  ark: deaf,
  cs2: source,
  csgo: source,
  gmod: source,
  luanti: deaf,
  minecraft: { hasInput: true, announce: 'say {message}', save: 'save-all', reloadPlugin: null },
  minetest: deaf,
  openttd: { hasInput: true, announce: 'say "{message}"', save: 'save autosave', reloadPlugin: null },
  'project-zomboid': { hasInput: true, announce: 'servermsg "{message}"', save: 'save', reloadPlugin: null },
  rust: { hasInput: true, announce: 'say {message}', save: 'server.save', reloadPlugin: undefined },
  teeworlds: deaf,
  terraria: { hasInput: true, announce: 'say {message}', save: 'save', reloadPlugin: null },
  tf2: source,
  valheim: deaf,
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
