// Lists the verbs and kinds of messages of the bus with the schemas of their payloads, for platform and agent alike.

interface Reference {
  $ref: string;
}

interface Channel {
  address?: string;
  parameters?: Record<string, { enum?: string[] }>;
  tags?: { name: string }[];
  messages: Record<string, Reference>;
}

interface Operation {
  channel: Reference;
  reply?: { channel: Reference };
}

/** Says which schema the arguments of a verb, or of several verbs, have. */
interface Condition {
  if: { properties: { verb: { const?: string; enum?: string[] } } };
  then: { properties: { args: Reference } };
}

interface BusContract {
  channels: Record<string, Channel>;
  operations: Record<string, Operation>;
  components: {
    messages: Record<string, { payload: Reference }>;
    schemas: { CommandVerb: { enum: string[] }; CommandEnvelope: { allOf: Condition[] } };
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
  /** The requests or messages in one direction, by the last token of their subject. */
  const channelsBy = (direction: 'ask' | 'up'): Record<string, Exchange & { isAboutFiles: boolean }> => {
    const found: Record<string, Exchange & { isAboutFiles: boolean }> = {};
    for (const { channel: reference, reply } of Object.values(operations)) {
      const channel = channels[nameIn(reference)];
      const last = new RegExp(`^gantry\\.\\{hostId\\}\\.${direction}\\.([^.]+)$`).exec(
        channel?.address ?? '',
      )?.[1];
      if (channel === undefined || last === undefined) continue;
      const parameter = /^\{(\w+)\}$/.exec(last)?.[1];
      const names = parameter === undefined ? [last] : (channel.parameters?.[parameter]?.enum ?? []);
      const replies = reply && channels[nameIn(reply.channel)];
      const isAboutFiles = channel.tags?.some(({ name }) => name === 'files') ?? false;
      for (const name of names)
        found[name] = {
          message: schemaOf(channel),
          reply: replies ? schemaOf(replies) : null,
          isAboutFiles,
        };
    }
    return found;
  };
  const exchanges = (direction: 'ask' | 'up'): Record<string, Exchange> =>
    Object.fromEntries(
      Object.entries(channelsBy(direction)).map(([name, { message, reply }]) => [name, { message, reply }]),
    );
  const fileVerbs = Object.entries(channelsBy('ask')).flatMap(([verb, { isAboutFiles }]) =>
    isAboutFiles ? [verb] : [],
  );
  const { CommandVerb, CommandEnvelope } = components.schemas;
  const argumentsOf = (verb: string): string | null => {
    const condition = CommandEnvelope.allOf.find(
      ({ if: { properties } }) => properties.verb.const === verb || properties.verb.enum?.includes(verb),
    );
    return condition === undefined ? null : nameIn(condition.then.properties.args);
  };
  const commandArguments = Object.fromEntries(CommandVerb.enum.map((verb) => [verb, argumentsOf(verb)]));
  const text = (value: unknown) => `${JSON.stringify(value, null, 2)} as const`;
  return `// Generated from the contract; edit the contract instead.

/** The commands of an agent, with the schemas of their arguments. */
export const commandArguments = ${text(commandArguments)};
export type CommandVerb = keyof typeof commandArguments;

/** The requests to an agent, with the schemas of the request and of its reply. */
export const requests = ${text(exchanges('ask'))};
export type RequestVerb = keyof typeof requests;

/** The requests about the files of an instance. */
export const fileVerbs = ${text(fileVerbs)};
export type FileVerb = (typeof fileVerbs)[number];
export const isFileVerb = (verb: RequestVerb): verb is FileVerb => fileVerbs.some((name) => name === verb);

/** What an agent sends, with the schemas of the message and of its reply. */
export const upMessages = ${text(exchanges('up'))};
export type UpKind = keyof typeof upMessages;
`;
}
