// The command that starts an agent, and the file that it reads.

/** `trial` runs a simulated server; `own` runs those of the agent's file. */
export type AgentKind = 'trial' | 'own';

/** What the command is pasted into. */
export const shells = ['posix', 'powershell'] as const;
export type Shell = (typeof shells)[number];

interface CommandOptions {
  shell: Shell;
  url: string;
  token: string;
}

/** Both values are of the platform's own making, and quoted for a shell nevertheless. */
export function trialCommand({ shell, url, token }: CommandOptions): string {
  const start = 'npm run agent:trial';
  if (shell === 'posix')
    return `GANTRY_URL=${quoted(url, `'\\''`)} GANTRY_COMPANION_TOKEN=${quoted(token, `'\\''`)} ${start}`;
  return `$env:GANTRY_URL = ${quoted(url, "''")}; $env:GANTRY_COMPANION_TOKEN = ${quoted(token, "''")}; ${start}`;
}

/** Single quotes within the text are written as the shell reads them. */
const quoted = (text: string, quote: string): string => `'${text.replaceAll("'", quote)}'`;

/** The shell of this browser's system, where the first agent often runs. */
export const defaultShell = (): Shell => (navigator.userAgent.includes('Windows') ? 'powershell' : 'posix');

/** The beginning of a `gantry-agent.yaml` with one server. */
export const exampleConfig = `instances:
  - name: main
    game: rust
    command: ./RustDedicated
    args: [-batchmode, +server.port, '28015', +server.identity, main, +rcon.web, '1', +rcon.port, '28016', +rcon.password, change-me]
    cwd: /srv/rust
    webrcon: { port: 28016, password_file: rcon-password }
    ready_pattern: Server startup complete
    ready_after_seconds: 600
    stop: { command: quit }
`;
