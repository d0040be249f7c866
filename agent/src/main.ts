// Starts the companion agent from its settings and ends it on a signal; the game servers run on.
import { readFileSync } from 'node:fs';
import { LogOutput } from '../../shared/log-output.ts';
import { startAgent } from './agent.ts';
import { readConfig } from './config.ts';
import { createAgentLog } from './log.ts';
import { SettingError } from './setting-error.ts';

const stopLimitMs = 8_000;
/** What the last lines of the log get to reach a reader who is slow. */
const flushMs = 500;

try {
  const config = readConfig(process.argv.slice(2), process.env);
  const output = new LogOutput(1);
  const log = createAgentLog(output);
  output.reportTo(log);
  const starting = startAgent(config, agentVersion(), log);
  let isStopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, 'agent ends; the game servers run on');
    setTimeout(() => process.exit(1), stopLimitMs).unref();
    const exit = (code: number) => void output.flush(flushMs).then(() => process.exit(code));
    const stopped = starting.then((agent) => agent.stop('shutdown'));
    stopped.then(
      () => exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'the agent did not end in good order');
        exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  await starting;
  const { path, isPresent } = config.configFile;
  if (!isPresent) {
    log.warn(
      { file: path },
      'no instances: copy agent/gantry-agent.example.yaml to this file, add one and start the agent again',
    );
  }
  log.info(
    { instances: config.instances.map(({ name }) => name), state: config.stateDirectory, url: config.url },
    'agent started',
  );

  if (/^http:\/\/(?!localhost|127\.|\[::1\])/.test(config.url)) {
    log.warn({ url: config.url }, 'the companion token travels unencrypted: use https');
  }
} catch (error) {
  if (!(error instanceof SettingError)) throw error;
  process.stderr.write(`gantry-agent: ${error.message}\n`);
  process.exitCode = 1;
}

function agentVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : undefined;
  return typeof version === 'string' ? version : '0.0.0';
}
