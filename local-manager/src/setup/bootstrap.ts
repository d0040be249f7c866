// Runs the vendor's setup in the virtual machine, for the first time or again after an incomplete run.
import type { components } from '../../../generated/local-manager.d.ts';
import type { Battlegroups } from '../battlegroup/battlegroups.ts';
import { refuseUnknown } from '../battlegroup/cluster-probe.ts';
import type { GuestShell } from '../guest-shell/guest-shell.ts';
import type { Guest } from '../guest-shell/guest.ts';
import type { HostBridge } from '../powershell/host-bridge.ts';
import type { OperationRun, Operation } from '../operations/operation-run.ts';
import type { Operations, OperationResult } from '../operations/operations.ts';
import { textOf, fieldsOf, jsonOf, numberOf } from '../parsing.ts';
import { refusal } from '../refusals.ts';
import type { Secrets } from '../security/secrets.ts';
import { usableAddress } from '../visibility/addresses.ts';
import { replyTo, Dialogue, noEcho } from '../guest-shell/dialogue.ts';
import { setupPrompts } from './setup-prompts.ts';
import { packageOf } from './importer.ts';

type BootstrapRequest = components['schemas']['BootstrapRequest'];

const regionLabels: Record<components['schemas']['Region'], string> = {
  asia: 'Asia',
  europe: 'Europe',
  northAmerica: 'North America',
  oceania: 'Oceania',
  southAmerica: 'South America',
};

const setupTimeoutMs = 90 * 60_000;
const deleteWithinMs = 5 * 60_000;
const maxText = 300;

const upload = `
folder=$1
mkdir -p "$folder/bin" || sudo -n mkdir -p "$folder/bin" || exit 1
base64 -d | sudo -n tee "$folder/bin/setup" > /dev/null && sudo -n chmod 755 "$folder/bin/setup"
`;

/** The setup prints its questions only on a terminal; echo is off because the token is typed there. */
const runSetup = `${noEcho}; exec "$1/bin/setup" 2>&1`;

const occupied = 75;

/** Checks again right before the deletion: a namespace that has a battlegroup by now holds a world. */
const deleteNamespace = `
found=$(sudo -n kubectl --request-timeout=20s get battlegroups -n "$1" -o name) || exit 1
[ -z "$found" ] || exit ${occupied}
exec sudo -n kubectl delete namespace "$1" --wait=false --ignore-not-found
`;

interface Parts {
  bridge: HostBridge;
  guest: Guest;
  battlegroups: Battlegroups;
  operations: Operations;
  secrets: Secrets;
  pollMs: number;
}

export class Bootstrap {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async start(request: BootstrapRequest): Promise<Operation> {
    const shell = await this.#prepare(request);
    return this.#parts.operations.start('bootstrap', (run) => this.#run(run, shell, request));
  }

  async repair(request: BootstrapRequest): Promise<Operation> {
    const shell = await this.#prepare(request);
    return this.#parts.operations.start('repair', async (run) => {
      await this.#deleteEmptyNamespaces(run, shell);
      return this.#run(run, shell, request);
    });
  }

  async #prepare({ token, playerIp }: BootstrapRequest): Promise<GuestShell> {
    const { operations, guest, secrets } = this.#parts;
    secrets.add(token);
    hostIdOf(token);
    if (typeof playerIp === 'string')
      usableAddress(playerIp, 'The address that players join at', '/playerIp');
    operations.refuseWhileRunning();
    const shell = await guest.open();
    await this.#emptyNamespaces(shell);
    return shell;
  }

  /** Throws a refusal unless it is certain that there is no battlegroup. */
  async #emptyNamespaces(shell: GuestShell): Promise<string[]> {
    const cluster = await this.#parts.battlegroups.probe(shell);
    refuseUnknown(cluster);
    if (cluster.battlegroups.length > 0)
      throw refusal('battlegroup_exists', 'There is already a battlegroup.');
    return cluster.namespaces.map(({ name }) => name);
  }

  async #run(run: OperationRun, shell: GuestShell, request: BootstrapRequest): Promise<OperationResult> {
    const { battlegroups } = this.#parts;
    await run.step('Upload the setup', () => this.#upload(shell));
    await run.step('Run the setup', () => this.#replyToSetup(run, shell, request));
    await run.step('Look for the battlegroup', async ({ note }) => {
      const { name } = await battlegroups.only(shell);
      note(name);
    });
    if (request.enableSwap === true)
      await run.step('Switch on swap', () => battlegroups.enableSwap(run, shell));
    return { summary: 'The battlegroup exists and is stopped. Start it.' };
  }

  async #upload(shell: GuestShell): Promise<void> {
    const { bridge, guest } = this.#parts;
    const result = await bridge.run('read-bootstrap', { vmcxPath: await packageOf(bridge) });
    const program = Buffer.from(textOf(result['content']) ?? '', 'base64')
      .toString('latin1')
      .replaceAll('\r\n', '\n');
    if (!program.startsWith('#!'))
      throw refusal('host_failed', 'The vendor’s setup is not an executable file.');
    const input = `${Buffer.from(program, 'latin1').toString('base64').replace(/.{76}/g, '$&\n')}\n`;
    await shell.read({ script: upload, values: [guest.folder], input });
  }

  async #replyToSetup(run: OperationRun, shell: GuestShell, request: BootstrapRequest): Promise<void> {
    const { worldName, region, token, playerIp } = request;
    const dialogue = new Dialogue(
      setupPrompts({ worldName, regionLabel: regionLabels[region], token, playerIp: playerIp ?? '' }),
    );
    const giveUp = new AbortController();
    const end = shell.run({
      script: runSetup,
      values: [this.#parts.guest.folder],
      wantsTerminal: true,
      timeoutMs: setupTimeoutMs,
      signal: giveUp.signal,
      onLine: run.print,
      onText: replyTo(dialogue, giveUp),
    });
    const { exitCode, stdout } = await end;
    if (exitCode === 0) return;
    const message = stdout.trim().split('\n').slice(-3).join('\n');
    throw refusal('guest_failed', `The setup ended with ${exitCode}: ${message}`);
  }

  /** Deleting a namespace takes time; a setup that finds one in deletion fails. */
  async #deleteEmptyNamespaces(run: OperationRun, shell: GuestShell): Promise<void> {
    const { battlegroups } = this.#parts;
    const namespaces = await this.#emptyNamespaces(shell);
    if (namespaces.length === 0) {
      run.skip('Delete empty namespaces', 'there are none');
      return;
    }
    for (const name of namespaces) {
      await run.step(`Delete ${name}`, async () => {
        const { exitCode, stdout, stderr } = await shell.run({ script: deleteNamespace, values: [name] });
        if (exitCode === occupied)
          throw refusal('battlegroup_exists', `${name} has a battlegroup; it was not deleted.`);
        if (exitCode !== 0)
          throw refusal('guest_failed', `${name} was not deleted: ${stderr.trim().slice(-maxText)}`);
        run.print(stdout);
      });
    }
    await run.step(
      'Wait until they are gone',
      async ({ signal }) => {
        const gone = await run.poll(
          async () => {
            const { isUp, namespaces: left } = await battlegroups.probe(shell);
            return isUp && left.length === 0 ? true : undefined;
          },
          { everyMs: this.#parts.pollMs, withinMs: deleteWithinMs, signal },
        );
        if (gone !== true) throw refusal('guest_failed', 'The namespaces still exist.');
      },
      { isCancellable: true },
    );
  }
}

/** The host id in the token, which only the vendor can verify. Throws a refusal if it has none or has expired. */
function hostIdOf(token: string): string {
  const [, payload = ''] = token.split('.');
  const fields = fieldsOf(jsonOf(Buffer.from(payload, 'base64url').toString('utf8')));
  const hostId = textOf(fields['HostId']);
  if (hostId === null)
    throw refusal(
      'invalid_token',
      'This is not a self-hosting token: it names no host. Copy the whole token.',
    );
  const expires = numberOf(fields['exp']);
  if (expires !== null && expires * 1000 < Date.now())
    throw refusal('invalid_token', 'The token has expired: get another one at account.duneawakening.com.');
  return hostId.toLowerCase();
}
