// Exits with 0 if the platform in this container is ready to serve requests.
const port = process.env['GANTRY_HEALTH_PORT'] ?? process.env['PORT'] ?? '3000';
const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
  ({ ok }) => ok,
  () => false,
);
process.exitCode = isReady ? 0 : 1;
