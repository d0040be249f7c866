// Runs ssh-keygen, which makes keys and names their fingerprints.
import { runProgram } from '../processes.ts';
import { refusal } from '../refusals.ts';

const keygenMs = 20_000;

/** Its output; throws a refusal with its reason if it fails. */
export async function sshKeygen(program: string, args: readonly string[]): Promise<string> {
  const end = await runProgram({ file: program, args, timeoutMs: keygenMs }).catch((error: unknown) => {
    throw refusal('host_failed', `ssh-keygen cannot be started: ${program}.`, { cause: error });
  });
  if (end.exitCode !== 0) throw refusal('host_failed', `ssh-keygen: ${end.stderr.trim().slice(-300)}`);
  return end.stdout;
}
