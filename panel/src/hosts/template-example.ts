// A template for the file of an agent, as an example to begin with.
export const templateExample = `managed_instances:
  base_directory: /srv/rust
  templates:
    rust:
      description: A Rust server
      game: rust
      command: /opt/rust/RustDedicated
      args: [-batchmode, -nographics, +server.port, '{{port}}', +server.hostname, '{{title}}']
      stop: { command: quit }
      ready_after_seconds: 600
      ready_pattern: Server startup complete
      parameters:
        port: { type: port, minimum: 28015, maximum: 28115 }
        title: { type: text, max_length: 60, default: A Rust server }
`;
