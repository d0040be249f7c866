// The one line that installs the agent on a machine, for each operating system.
import { forShell } from '../../shared/shell-commands.ts';

export interface InstallCommands {
  linux: string;
  windows: string;
}

/** `code` has only letters, digits, hyphens and underscores, which no shell interprets. */
export const installCommands = (publicUrl: string, code: string): InstallCommands => ({
  linux: `curl -fsSL ${forShell(`${publicUrl}/install.sh`)} | sh -s -- ${code}`,
  windows: `& ([scriptblock]::Create((irm ${forPowerShell(`${publicUrl}/install.ps1`)}))) ${code}`,
});

/** PowerShell takes typographic quotation marks for apostrophes. */
export const forPowerShell = (text: string): string => `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`;
