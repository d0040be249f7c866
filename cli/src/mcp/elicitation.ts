// What the user of an agent's program is asked before a change.
import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import type { Operation } from '../contract.ts';
import { safe } from '../output.ts';

/** Whether the client's program can ask its user. Revision 2026-07-28 says so with each request, earlier ones once. */
export function asksUser(server: McpServer, { mcpReq }: ServerContext): boolean {
  const envelope = mcpReq.envelope as Record<string, unknown> | undefined;
  const declared = envelope?.['io.modelcontextprotocol/clientCapabilities'] as
    { elicitation?: unknown } | undefined;
  // The only source for clients of earlier revisions.
  return (declared ?? server.server.getClientCapabilities())?.elicitation !== undefined;
}

/** A destructive change is confirmed by typing its name; others by a tick. */
export function question({ id, summary, isDestructive }: Operation, request: string, body: unknown) {
  return {
    mode: 'form' as const,
    message: `${summary}: ${safe(request, false)}${safe(shownBody(body), true)}`,
    requestedSchema: isDestructive
      ? {
          type: 'object' as const,
          properties: {
            operation: {
              type: 'string' as const,
              title: 'Operation',
              description: `Type ${id} to confirm. This cannot be undone.`,
            },
          },
          required: ['operation'],
        }
      : {
          type: 'object' as const,
          properties: { confirm: { type: 'boolean' as const, title: 'Do it', default: false } },
          required: ['confirm'],
        },
  };
}

const maxShownBody = 2000;

export function shownBody(body: unknown): string {
  if (body === undefined) return '';
  const whole = JSON.stringify(body);
  return `\nwith ${whole.length > maxShownBody ? `${whole.slice(0, maxShownBody)}… (${whole.length} characters)` : whole}`;
}
