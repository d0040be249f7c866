// Declares the types of the parts of busboy that are used here; busboy ships none.
declare module 'busboy' {
  import type { Readable, Writable } from 'node:stream';

  interface Limits {
    files: number;
    fields: number;
    /** Maximum size of a field, in bytes. */
    fieldSize: number;
    parts: number;
  }

  interface PartEvents {
    field: (name: string | undefined, value: string, about: { valueTruncated: boolean }) => void;
    file: (name: string | undefined, content: Readable) => void;
    fieldsLimit: () => void;
    filesLimit: () => void;
    partsLimit: () => void;
    error: (error: Error) => void;
    close: () => void;
  }

  export interface PartHeaders {
    'content-disposition'?: [string];
    'content-type'?: [string];
  }

  export interface PartHeaderReader {
    cb: (headers: PartHeaders) => void;
  }

  export interface Parser extends Writable {
    /** Set while busboy reads the headers of a part. */
    _hparser: PartHeaderReader | null;
    on<Event extends keyof PartEvents>(event: Event, listener: PartEvents[Event]): this;
  }

  export default function busboy(options: { headers: { 'content-type': string }; limits: Limits }): Parser;
}

declare module 'busboy/lib/utils.js' {
  const utils: {
    parseDisposition(
      header: string,
      decode: (text: string) => string,
    ): { type: string; params: { name?: string } } | undefined;
  };
  export default utils;
}
