// The scheduled task of Windows that starts the manager elevated at logon, without a prompt and without a window.
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../config.ts';
import { runProgram } from '../processes.ts';

export const taskName = 'Gantry local manager';

const programMs = 30_000;

/** `sid` is the user who manages the virtual machine. The task's defaults would end it after three days, and on battery. */
export function taskXml({ sid, command }: { sid: string; command: readonly string[] }): string {
  const escaped = (text: string) =>
    text.replace(/[<>&'"]/g, (character) => `&#${character.codePointAt(0) ?? 0};`);
  const quoted = command.map((word) => `&#34;${escaped(word)}&#34;`).join(' ');
  return `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.3" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>Serves the page of the local manager on this machine.</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger>
      <Enabled>true</Enabled>
      <UserId>${escaped(sid)}</UserId>
    </LogonTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>${escaped(sid)}</UserId>
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>HighestAvailable</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>3</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>%SystemRoot%\\System32\\conhost.exe</Command>
      <Arguments>--headless ${quoted}</Arguments>
    </Exec>
  </Actions>
</Task>
`;
}

/** `command` starts the manager: the executable, or Node with the program. */
export async function registerTask(command: readonly string[]): Promise<void> {
  const who = await system('whoami.exe', ['/user', '/fo', 'csv', '/nh']);
  const sid = /S-1-[\d-]+/.exec(who)?.[0];
  if (sid === undefined) throw new ConfigError('Windows does not return the current user.');
  const file = join(tmpdir(), `gantry-task-${randomUUID()}.xml`);
  // Task Scheduler reads UTF-16 with its mark.
  await writeFile(file, Buffer.from(`\uFEFF${taskXml({ sid, command })}`, 'utf16le'));
  try {
    await system('schtasks.exe', ['/Create', '/F', '/TN', taskName, '/XML', file]);
  } finally {
    await rm(file, { force: true });
  }
  await startTask();
}

export const startTask = (): Promise<string> => system('schtasks.exe', ['/Run', '/TN', taskName]);

async function system(name: string, args: string[]): Promise<string> {
  const file = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', name);
  const end = await runProgram({ file, args, timeoutMs: programMs });
  if (end.exitCode !== 0) throw new ConfigError(`${name}: ${(end.stderr || end.stdout).trim()}`);
  return end.stdout;
}
