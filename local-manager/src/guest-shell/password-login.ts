// Hands a password to ssh: a program without secrets prints it from ssh's own environment, which only this user can read.
import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface PasswordLogin {
  password: string;
  /** The program that ssh runs when it asks for the password. */
  program: string;
}

const variable = 'GANTRY_SSH_PASSWORD';

/** Delayed expansion prints every character as it is. */
const windowsProgram = `@echo off\r\nsetlocal EnableDelayedExpansion\r\necho(!${variable}!\r\n`;
const posixProgram = `#!/bin/sh\nprintf '%s\\n' "$${variable}"\n`;

/** Runs the work with a login that ends with it. */
export async function withPassword<T>(
  { home, password }: { home: string; password: string },
  work: (login: PasswordLogin) => Promise<T>,
): Promise<T> {
  const isWindows = process.platform === 'win32';
  const folder = join(home, 'keys');
  const program = join(folder, `ask-${randomUUID()}${isWindows ? '.cmd' : ''}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(program, isWindows ? windowsProgram : posixProgram, { mode: 0o700 });
  try {
    return await work({ password, program });
  } finally {
    await rm(program, { force: true });
  }
}

/** ssh before 8.4 asks a program only if there is a display. */
export const environmentOf = ({ password, program }: PasswordLogin): NodeJS.ProcessEnv => ({
  ...process.env,
  [variable]: password,
  SSH_ASKPASS: program,
  SSH_ASKPASS_REQUIRE: 'force',
  DISPLAY: 'gantry',
});
