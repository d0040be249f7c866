// Bundles the agent and the packages that it uses into one script.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';

const run = promisify(execFile);

/** The commit of the sources, with `-changed` where files differ from it; `no commit` outside a repository. */
export async function commitOf(root: string): Promise<string> {
  const flags = ['describe', '--always', '--abbrev=12', '--dirty=-changed'];
  const found = await run('git', flags, { cwd: root }).catch(() => undefined);
  return found?.stdout.trim() ?? 'no commit';
}

export async function bundleAgent({ root, commit }: { root: string; commit: string }): Promise<string> {
  const bundle = await rolldown({
    input: join(root, 'agent/src/main.ts'),
    platform: 'node',
    transform: { define: { GANTRY_AGENT_COMMIT: JSON.stringify(commit) } },
    // An unresolved import would only fail on the host.
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  // Executables of this Node begin with a CommonJS script.
  const { output } = await bundle.generate({ format: 'cjs', minify: true, codeSplitting: false });
  await bundle.close();
  return output[0].code;
}
