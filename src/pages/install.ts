// Serves the scripts that install the agent, and the files of its release.
import { join } from 'node:path';
import express, { type RequestHandler, type Response, type Router } from 'express';
import { signedListNames, type AgentRelease, type Release } from '../agent-release/agent-release.ts';
import { DownloadPlaces } from '../agent-release/download-places.ts';
import { powerShellScript, shellScript } from '../agent-release/install-scripts.ts';

const noRelease =
  'This platform has no release of the agent. Its operator makes one with "npm run build:agent", or sets GANTRY_AGENT_RELEASE_DIR.';

/** Installed agents send it (agent/src/downloads); browsers, curl and wget, which install agents, do not. */
const agentProgram = 'Gantry agent';

const types: Readonly<Record<string, string>> = {
  'release.json': 'application/json; charset=utf-8',
  'release.json.sig': 'text/plain; charset=utf-8',
  'release-key.pem': 'application/x-pem-file',
};

type ScriptOf = (release: Release, publicUrl: string) => Promise<string | undefined>;

export function createInstallRouter(
  agentRelease: AgentRelease,
  publicUrl: () => string,
  places = new DownloadPlaces(),
): Router {
  const serve =
    (type: string, script: ScriptOf): RequestHandler =>
    async (_request, response) => {
      const release = await agentRelease.find();
      if (release === undefined) return refuse(response, noRelease);
      const text = await script(release, publicUrl());
      if (text === undefined)
        return refuse(response, 'The release of the agent has no executable for Windows.');
      response.setHeader('Cache-Control', 'no-store').setHeader('Content-Type', type).send(text);
    };
  const router = express.Router();
  router.get('/install.sh', serve('text/x-shellscript; charset=utf-8', shellScript));
  router.get('/install.ps1', serve('text/plain; charset=utf-8', powerShellScript));
  router.get('/downloads/agent/:name', async (request, response) => {
    const release = await agentRelease.find();
    if (release === undefined) return refuse(response, noRelease);
    // The request only selects from the names of the signed list.
    const names = [...signedListNames, ...release.files.map(({ name }) => name)];
    const name = names.find((known) => known === request.params.name);
    if (name === undefined)
      return refuse(response, `The release of the agent has no such file; it has ${names.join(', ')}.`);
    const isUpdate = types[name] === undefined && request.headers['user-agent'] === agentProgram;
    if (isUpdate && !places.take(response)) return refuseBusy(response, places.retrySeconds);
    response.setHeader('Content-Type', types[name] ?? 'application/octet-stream');
    // Proxies must not pair a former executable with the list of the current release.
    response.setHeader('Cache-Control', 'no-cache');
    response.sendFile(join(release.directory, name), { cacheControl: false, dotfiles: 'allow' });
  });
  return router;
}

function refuseBusy(response: Response, retrySeconds: number): void {
  response
    .status(503)
    .setHeader('Retry-After', retrySeconds)
    .setHeader('Cache-Control', 'no-store')
    .setHeader('Content-Type', 'text/plain; charset=utf-8')
    .send('Other agents are downloading; try again later.\n');
}

function refuse(response: Response, why: string): void {
  response.status(404).setHeader('Content-Type', 'text/plain; charset=utf-8').send(`${why}\n`);
}
