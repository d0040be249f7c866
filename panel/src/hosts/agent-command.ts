// The command that starts an agent, and a configuration for a first try.

/** Both values are of the platform's own making, and quoted for a shell nevertheless. */
export const commandFor = (url: string, token: string): string =>
  `GANTRY_URL=${quoted(url)} GANTRY_COMPANION_TOKEN=${quoted(token)} npm run agent`;

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** `gantry-agent.yaml` of an agent that runs one simulated Rust server. */
export const trialConfig = `instances:
  - name: rust-1
    game: rust
    command: node
    args: [agent/simulator/rust-server.ts]
    stop: { command: quit }
`;
