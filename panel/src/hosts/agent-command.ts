// The command that starts an agent, and the file that it reads.

/** `trial` runs a simulated server; `own` runs those of the agent's file. */
export type AgentKind = 'trial' | 'own';

const scripts: Readonly<Record<AgentKind, string>> = { trial: 'agent:trial', own: 'agent' };

/** Both values are of the platform's own making, and quoted for a shell nevertheless. */
export const commandFor = (kind: AgentKind, url: string, token: string): string =>
  `GANTRY_URL=${quoted(url)} GANTRY_COMPANION_TOKEN=${quoted(token)} npm run ${scripts[kind]}`;

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

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
