// The settings that the game servers have, which differ from the saved ones until they are deployed.
import type { Battlegroups } from '../battlegroup/battlegroups.ts';
import type { GuestShell } from '../guest-shell/guest-shell.ts';
import { isRefusal } from '../refusals.ts';
import { files, type Documents } from './config-documents.ts';
import { IniDocument } from './ini-document.ts';

const deployedMs = 20_000;

/** The deployed files: in a folder that the file browser's pod shares with all game servers. */
const deployedScript = `
namespace=$1
shift
pod=$(sudo -n kubectl get pods -n "$namespace" -o name | grep -iE 'file-?browser|-fb-' | head -n 1)
[ -n "$pod" ] || { echo 'no file browser' >&2; exit 1; }
for file in "$@"; do
  sudo -n kubectl exec -n "$namespace" "$pod" -- cat "/srv/UserSettings/$file" | base64 | tr -d '\\n'
  echo
done
`;

/** Undefined if they cannot be read: the file browser runs only with the battlegroup's other pods. */
export async function readDeployed(
  shell: GuestShell,
  battlegroups: Battlegroups,
): Promise<Documents | undefined> {
  try {
    const { namespace } = await battlegroups.only(shell);
    const text = await shell.read({
      script: deployedScript,
      values: [namespace, ...files],
      timeoutMs: deployedMs,
    });
    const [engine = '', game = ''] = text
      .split('\n')
      .map((line) => Buffer.from(line, 'base64').toString('utf8'));
    if (engine === '' && game === '') return undefined;
    return { 'UserEngine.ini': new IniDocument(engine), 'UserGame.ini': new IniDocument(game) };
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}
