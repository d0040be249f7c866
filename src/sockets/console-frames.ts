// The frames of a console's socket, and the reader of those that clients send.
import type { components } from '../../generated/console.d.ts';
import contract from '../../generated/console.asyncapi.json' with { type: 'json' };
import { BadMessage, Messages, type Reader } from '../contract/messages.ts';

type Frames = components['schemas'];
export type InputFrame = Frames['ConsoleInputFrame'];
export type HistoryRequest = Frames['ConsoleHistoryRequestFrame'];
export type ServerFrame = Frames[Exclude<
  Extract<keyof Frames, `${string}Frame`>,
  'ConsoleInputFrame' | 'ConsoleHistoryRequestFrame'
>];
export type HistoryFrame = Frames['ConsoleHistoryFrame'];
export type FrameReader = Reader<InputFrame | HistoryRequest>;

export function createFrameReader(): FrameReader {
  const messages = new Messages<Frames>(contract);
  const readInput = messages.reader('ConsoleInputFrame');
  const readHistoryRequest = messages.reader('ConsoleHistoryRequestFrame');
  return (data) => {
    try {
      return readInput(data);
    } catch (error) {
      if (!(error instanceof BadMessage)) throw error;
      return readHistoryRequest(data);
    }
  };
}
