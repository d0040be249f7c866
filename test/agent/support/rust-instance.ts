// The simulated Rust server as an instance of an agent, with RCON at a port of its own.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../support/free-port.ts';
import type { InstanceSettings, Stage } from './agent.ts';

export const rustProgram = fileURLToPath(new URL('rust.ts', import.meta.url));
const password = 'a secret/with ?odd #signs';

/** The settings of an instance that speaks RCON there; the password is in the agent's directory. */
export function webrconAt({ agent }: { agent: { directory: string } }, port: number, secret = password) {
  const file = join(agent.directory, 'rcon-password');
  writeFileSync(file, `${secret}\n`);
  return { webrcon: { port, password_file: file } };
}

/** It boots at once, and its players do not act; `args` are its own beside those. */
export async function rustInstance(
  agent: { directory: string },
  args: string[] = [],
  settings: Partial<InstanceSettings> = {},
) {
  const port = await freePort();
  const playing = ['--boot-ms', '60', '--play-ms', '0'];
  return {
    program: rustProgram,
    args: [...playing, ...args, '+rcon.port', String(port), '+rcon.password', password],
    game: 'rust',
    ready_pattern: 'Server startup complete',
    stop: { command: 'quit' },
    ...webrconAt({ agent }, port),
    ...settings,
  };
}

/** The same as the agent's own configuration has it. */
export async function rustSettings(
  directory: string,
  args: string[],
  settings: Partial<InstanceSettings> = {},
) {
  const { program, args: all, ...instance } = await rustInstance({ directory }, args, settings);
  return {
    name: 'main',
    command: process.execPath,
    args: [program, ...all],
    ready_after_seconds: 20,
    stop_grace_seconds: 5,
    ...instance,
  };
}

/** Configures the agent with it, and starts both. */
export async function startRust(
  stage: Stage,
  args: string[] = [],
  settings: Partial<InstanceSettings> = {},
): Promise<void> {
  stage.agent.configure([await rustInstance(stage.agent, args, settings)]);
  await stage.startAgent();
  await stage.platform.run('start');
  await stage.platform.untilLine('RCON is connected');
}

/** The arguments of a server with that framework for plugins. */
export const withFramework = (framework: 'oxide' | 'carbon' | 'none') => [
  '--modding',
  framework,
  '+server.identity',
  'test',
];
