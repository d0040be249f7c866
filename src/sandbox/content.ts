// Contents of simulated files, which are stored in base64.
import { createHash } from 'node:crypto';

export const sha256Of = (content: string): string =>
  createHash('sha256').update(Buffer.from(content, 'base64')).digest('hex');

export const textFile = (text: string) => Buffer.from(text).toString('base64');
