// The scripts that install the agent, filled with the address of this platform and with what its release consists of.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Release } from './agent-release.ts';
import { forShell } from '../../shared/shell-commands.ts';
import { forPowerShell } from './install-commands.ts';

const textOf = (name: string) => readFile(join(import.meta.dirname, name), 'utf8');

/** Replaces `@NAME@`. Values come from the settings and the signed release, never from a request. */
function filled(script: string, values: Readonly<Record<string, string>>): string {
  return script.replaceAll(/@([A-Z0-9_]+)@/g, (whole, name: string) => values[name] ?? whole);
}

export async function shellScript(release: Release, publicUrl: string): Promise<string> {
  const [script, launcher] = await Promise.all([textOf('install.sh'), textOf('launch.sh')]);
  const files = release.files.map(({ platform, name, size, sha256 }) => [platform, name, size, sha256]);
  return filled(script, {
    PUBLIC_URL: forShell(publicUrl),
    VERSION: forShell(release.version),
    RELEASE_KEY: forShell(release.keyPem.trim()),
    FILES: forShell(files.map((words) => words.join(' ')).join('\n')),
    LAUNCHER: launcher.trimEnd(),
  });
}

/** Undefined if the release has no executable for Windows. */
export async function powerShellScript(release: Release, publicUrl: string): Promise<string | undefined> {
  const file = release.files.find(({ platform }) => platform === 'win-x64');
  if (file === undefined) return undefined;
  return filled(await textOf('install.ps1'), {
    PUBLIC_URL: forPowerShell(publicUrl),
    VERSION: forPowerShell(release.version),
    RELEASE_KEY: forPowerShell(release.keyPem.trim()),
    FILE: forPowerShell(file.name),
    SHA256: forPowerShell(file.sha256),
  });
}
