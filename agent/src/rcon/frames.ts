// Reads and writes WebRCON frames: those of a server are untrusted, ours never contain two commands.

export interface RconFrame {
  /** Id of the request that this frame replies to; any other number marks a broadcast. */
  id: number;
  kind: 'chat' | 'error' | 'other';
  text: string;
}

/** Names of the kinds that old servers send as a number. */
const kindsByNumber = ['Generic', 'Error', 'Warning', 'Chat', 'Report', 'ClientPerf', 'Subscription'];

const oneLine = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]{1,4000}$/;
const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** Whether the reply says that the server does not know the command. */
export const isUnknownCommand = (reply: string): boolean =>
  /^(unknown command|command '.*' not found)/i.test(reply.trim());

/** Whether the command is one line that can be sent to a server. */
export const isRequestable = (command: string): boolean => oneLine.test(command);

/** Throws unless the command is one line, because text after a line end would be a second command. */
export function requestFrame(id: number, command: string): string {
  if (!isRequestable(command))
    throw new Error('A console command is one line of at most 4000 characters without control characters.');
  return JSON.stringify({ Identifier: id, Message: command, Name: 'Gantry' });
}

/** Quotes any text as one argument of a console command. */
export function quoted(text: string): string {
  return `"${text.replace(unprintable, ' ').replaceAll('"', "'").replace(/\\+$/, '')}"`;
}

export function readFrame(data: string): RconFrame | null {
  const fields = fieldsOf(parsed(data));
  const text = fields.get('Message');
  if (typeof text !== 'string') return null;
  const id = fields.get('Identifier');
  const type = fields.get('Type');
  const name = typeof type === 'number' ? kindsByNumber[type] : type;
  return {
    id: Number.isSafeInteger(id) ? (id as number) : 0,
    kind: name === 'Chat' ? 'chat' : name === 'Error' ? 'error' : 'other',
    text,
  };
}

/** Returns the console lines of a broadcast, in the format of the server's own log. */
export function linesOf({ kind, text }: RconFrame): string[] {
  if (kind === 'chat') return [chatLine(text)];
  // Skips the server's messages about remote consoles, including the agent's own.
  return text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('[rcon] '));
}

function chatLine(text: string): string {
  const fields = fieldsOf(parsed(text));
  const message = fields.get('Message');
  if (typeof message !== 'string') return `[CHAT] ${text}`;
  const channel = fields.get('Channel') === 1 ? 'TEAM CHAT' : 'CHAT';
  const [name, id] = [fields.get('Username'), fields.get('UserId')].map((value) =>
    typeof value === 'string' || typeof value === 'number' ? String(value) : '',
  );
  return `[${channel}] ${name}[${id}] : ${message}`;
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // callers check for missing fields
  }
}

export function fieldsOf(value: unknown): Map<string, unknown> {
  return new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}
