// Lists the verbs and kinds of messages of the bus with the schemas of their payloads, for platform and agent alike.

interface Reference {
  $ref: string;
}

interface Channel {
  address?: string;
  parameters?: Record<string, { enum?: string[] }>;
  messages: Record<string, Reference>;
}

interface Operation {
  channel: Reference;
  reply?: { channel: Reference };
}

interface BusContract {
  channels: Record<string, Channel>;
  operations: Record<string, Operation>;
  components: {
    messages: Record<string, { payload: Reference }>;
    schemas: { CommandVerb: { enum: string[] } };
  };
}

interface Exchange {
  message: string;
  reply: string | null;
}

const nameIn = ({ $ref }: Reference) => $ref.slice($ref.lastIndexOf('/') + 1);

/** The module `agent-bus.protocol.ts`, as text. */
export function busProtocol(document: object): string {
  const { channels, operations, components } = document as BusContract;
  const schemaOf = (channel: Channel): string => {
    const [message] = Object.values(channel.messages);
    const payload = message && components.messages[nameIn(message)]?.payload;
    if (payload === undefined) throw new Error(`${channel.address ?? 'a channel'} has no message`);
    return nameIn(payload);
  };
  const exchanges = (direction: 'ask' | 'up'): Record<string, Exchange> => {
    const found: Record<string, Exchange> = {};
    for (const { channel: reference, reply } of Object.values(operations)) {
      const channel = channels[nameIn(reference)];
      const last = new RegExp(`^gantry\\.\\{hostId\\}\\.${direction}\\.([^.]+)$`).exec(
        channel?.address ?? '',
      )?.[1];
      if (channel === undefined || last === undefined) continue;
      const parameter = /^\{(\w+)\}$/.exec(last)?.[1];
      const names = parameter === undefined ? [last] : (channel.parameters?.[parameter]?.enum ?? []);
      const replies = reply && channels[nameIn(reply.channel)];
      for (const name of names)
        found[name] = { message: schemaOf(channel), reply: replies ? schemaOf(replies) : null };
    }
    return found;
  };
  const text = (value: unknown) => `${JSON.stringify(value, null, 2)} as const`;
  return `// Generated from the contract; edit the contract instead.

/** Commands that an agent may receive. */
export const commandVerbs = ${text(components.schemas.CommandVerb.enum)};
export type CommandVerb = (typeof commandVerbs)[number];

/** What an agent may be asked, with the schemas of the request and of its reply. */
export const requests = ${text(exchanges('ask'))};
export type RequestVerb = keyof typeof requests;

/** What an agent sends, with the schemas of the message and of its reply. */
export const upMessages = ${text(exchanges('up'))};
export type UpKind = keyof typeof upMessages;
`;
}
