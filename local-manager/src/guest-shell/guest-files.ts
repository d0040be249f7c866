// Reads and replaces files of the virtual machine, byte for byte, over SSH.
import { createHash } from 'node:crypto';
import { refusal } from '../refusals.ts';
import type { GuestShell } from './guest-shell.ts';

export interface GuestFile {
  /** Empty where there is none. */
  content: Buffer;
  isThere: boolean;
  hash: string;
}

const absent = 66;
const changed = 75;

/** The content comes as base64, and it goes as base64: neither line ends nor a terminal can change it. */
const readScript = `[ -e "$1" ] || exit ${absent}; exec base64 < "$1"`;

/** The file is replaced in one step, unless it is another one than was read; the one before stays beside it. */
const writeScript = `
file=$1
expected=$2
fresh="$file.gantry.$$"
trap 'rm -f "$fresh"' EXIT
if [ -e "$file" ]; then cp -p "$file" "$fresh" || exit 1; fi
base64 -d > "$fresh" || exit 1
current=absent
[ -e "$file" ] && current=$(sha256sum < "$file" | cut -d ' ' -f 1)
[ "$current" = "$expected" ] || exit ${changed}
if [ -e "$file" ]; then cp -p "$file" "$file.bak" || exit 1; fi
sync "$fresh" 2>/dev/null
mv "$fresh" "$file"
`;

export async function readGuestFile(shell: GuestShell, path: string): Promise<GuestFile> {
  const { exitCode, stdout, stderr } = await shell.run({ script: readScript, values: [path] });
  if (exitCode === absent) return { content: Buffer.alloc(0), isThere: false, hash: 'absent' };
  if (exitCode !== 0) throw refusal('guest_failed', `${path} can not be read: ${stderr.trim().slice(-300)}`);
  const content = Buffer.from(stdout, 'base64');
  return { content, isThere: true, hash: hashOf(content) };
}

/** Writes it, reads it back, and throws a refusal unless it is what was written. */
export async function replaceGuestFile(
  shell: GuestShell,
  path: string,
  before: GuestFile,
  content: Buffer,
): Promise<GuestFile> {
  const { exitCode, stderr } = await shell.run({
    script: writeScript,
    values: [path, before.hash],
    input: `${content.toString('base64').replace(/.{76}/g, '$&\n')}\n`,
  });
  if (exitCode === changed)
    throw refusal('guest_failed', `${path} was changed by somebody else meanwhile; nothing was written.`);
  if (exitCode !== 0)
    throw refusal('guest_failed', `${path} can not be written: ${stderr.trim().slice(-300)}`);
  const after = await readGuestFile(shell, path);
  if (!after.content.equals(content)) throw refusal('guest_failed', `${path} is not what was written.`);
  return after;
}

const hashOf = (content: Buffer) => createHash('sha256').update(content).digest('hex');
