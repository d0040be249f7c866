// Lines that an MCP client sends: those that are no message of JSON-RPC get an error instead of silence.
import { Transform, type Readable, type Writable } from 'node:stream';
import { isJSONRPCNotification, isJSONRPCRequest, isJSONRPCResponse } from '@modelcontextprotocol/server';

const parseError = { code: -32700, message: 'Parse error: the line is not JSON.' };
const invalidRequest = {
  code: -32600,
  message: 'Invalid request: the line is not one message of JSON-RPC 2.0.',
};

const lineEnd = 0x0a;

/** The messages of the input, whole lines each. Errors go to the output. */
export function receivedMessages(input: Readable, output: Writable, maxLineBytes: number): Readable {
  let rest = Buffer.alloc(0);
  const lines = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let start = 0;
      const bytes = Buffer.concat([rest, chunk]);
      for (let end = bytes.indexOf(lineEnd); end >= 0; end = bytes.indexOf(lineEnd, start)) {
        const line = bytes.subarray(start, end + 1);
        start = end + 1;
        const refusal = refusalOf(line.toString().trim());
        if (refusal === undefined) this.push(line);
        else if (refusal !== null) output.write(`${JSON.stringify(refusal)}\n`);
      }
      rest = bytes.subarray(start);
      // The transport has the same limit, and ends the connection.
      if (rest.length > maxLineBytes) {
        this.push(rest);
        rest = Buffer.alloc(0);
      }
      done();
    },
  });
  return input.pipe(lines);
}

/** The error for a line; undefined if it is a message, null if it is empty. */
function refusalOf(line: string): object | null | undefined {
  if (line === '') return null;
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return { jsonrpc: '2.0', id: null, error: parseError };
  }
  if (isJSONRPCRequest(message) || isJSONRPCNotification(message) || isJSONRPCResponse(message))
    return undefined;
  const { id } = (message ?? {}) as { id?: unknown };
  const isId = typeof id === 'string' || Number.isInteger(id);
  return { jsonrpc: '2.0', id: isId ? id : null, error: invalidRequest };
}
