// Reads and replaces files of the virtual machine, byte for byte, over SSH.
import { createHash } from 'node:crypto';
import { refusal } from '../refusals.ts';
import type { GuestShell } from './guest-shell.ts';

export interface GuestFile {
  /** Empty if the file is missing. */
  content: Buffer;
  isThere: boolean;
  hash: string;
}

const absent = 66;
const changed = 75;
const cutOff = 76;

/** Content is transferred as base64 in both directions, so that neither line ends nor a terminal can change it. */
const readScript = `[ -e "$1" ] || exit ${absent}; exec base64 < "$1"`;

/**
 * Takes, for each file, its path, its current hash, and the length and hash of the new content. The files are replaced
 * only if everything that was sent has arrived, because a killed manager sends only half, and only if all current files
 * are those that were read. The replacement itself runs in the virtual machine, even if the connection breaks; the
 * former files are kept beside the new ones.
 */
const writeScript = `
pack="$1.gantry.$$"
trap 'rm -f "$pack" "$pack".*' EXIT
hash() { sha256sum < "$1" | cut -d ' ' -f 1; }
stage() {
  offset=1
  number=0
  while [ $# -gt 0 ]; do
    if [ -e "$1" ]; then cp -p "$1" "$pack.$number" || exit 1; fi
    tail -c "+$offset" "$pack" | head -c "$3" > "$pack.$number" || exit 1
    [ "$(hash "$pack.$number")" = "$4" ] || exit ${cutOff}
    offset=$((offset + $3))
    number=$((number + 1))
    shift 4
  done
}
compare() {
  while [ $# -gt 0 ]; do
    current=absent
    [ -e "$1" ] && current=$(hash "$1")
    [ "$current" = "$2" ] || exit ${changed}
    shift 4
  done
}
keep() {
  while [ $# -gt 0 ]; do
    if [ -e "$1" ]; then cp -p "$1" "$1.bak" || exit 1; fi
    shift 4
  done
}
replace() {
  number=0
  while [ $# -gt 0 ]; do
    mv "$pack.$number" "$1" || exit 1
    number=$((number + 1))
    shift 4
  done
}
(umask 077; base64 -d > "$pack") || exit ${cutOff}
stage "$@"
compare "$@"
keep "$@"
sync
replace "$@"
`;

export interface GuestFileChange {
  path: string;
  before: GuestFile;
  content: Buffer;
}

export async function readGuestFile(shell: GuestShell, path: string): Promise<GuestFile> {
  const { exitCode, stdout, stderr } = await shell.run({ script: readScript, values: [path] });
  if (exitCode === absent) return { content: Buffer.alloc(0), isThere: false, hash: 'absent' };
  if (exitCode !== 0) throw refusal('guest_failed', `${path} cannot be read: ${stderr.trim().slice(-300)}`);
  const content = Buffer.from(stdout, 'base64');
  return { content, isThere: true, hash: hashOf(content) };
}

/** Writes the files together and reads them back; throws a refusal if the content differs. */
export async function replaceGuestFiles(
  shell: GuestShell,
  changes: readonly GuestFileChange[],
): Promise<GuestFile[]> {
  const paths = changes.map(({ path }) => path).join(' and ');
  const { exitCode, stderr } = await shell.run({
    script: writeScript,
    values: changes.flatMap(({ path, before, content }) => [
      path,
      before.hash,
      String(content.length),
      hashOf(content),
    ]),
    input: base64LinesOf(Buffer.concat(changes.map(({ content }) => content))),
  });
  if (exitCode === changed)
    throw refusal(
      'guest_failed',
      `${paths}: changed by another program in the meantime; nothing was written.`,
    );
  if (exitCode === cutOff)
    throw refusal('guest_failed', `${paths}: the content arrived incompletely; nothing was written.`);
  if (exitCode !== 0)
    throw refusal('guest_failed', `${paths} cannot be written: ${stderr.trim().slice(-300)}`);
  return Promise.all(
    changes.map(async ({ path, content }) => {
      const after = await readGuestFile(shell, path);
      if (!after.content.equals(content))
        throw refusal('guest_failed', `${path} does not have the written content.`);
      return after;
    }),
  );
}

const hashOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

const base64LinesOf = (content: Buffer) => `${content.toString('base64').replace(/.{76}/g, '$&\n')}\n`;
