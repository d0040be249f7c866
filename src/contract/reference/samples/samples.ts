// The code samples of an operation: curl, and the languages that the reference is given.
import type { Catalogue, CodeSample, OperationEntry } from '../catalogue.ts';
import { curl } from './curl.ts';
import { sampleCallOf, type SampleLanguage } from './sample-call.ts';

export interface WrittenSample extends CodeSample {
  label: string;
  /** The language of the fence in Markdown. */
  fence: string;
}

export interface SampleOptions {
  languages: readonly SampleLanguage[];
  /** The address of the server. */
  baseUrl: string;
}

export const curlSampleOf = (
  operation: OperationEntry,
  catalogue: Catalogue,
  baseUrl: string,
): WrittenSample => written(curl, operation, { catalogue, baseUrl });

/** curl first. */
export const samplesOf = (
  operation: OperationEntry,
  catalogue: Catalogue,
  { languages, baseUrl }: SampleOptions,
): WrittenSample[] =>
  [curl, ...languages].map((language) => written(language, operation, { catalogue, baseUrl }));

function written(
  { label, fence, write }: SampleLanguage,
  operation: OperationEntry,
  { catalogue, baseUrl }: { catalogue: Catalogue; baseUrl: string },
): WrittenSample {
  return { lang: label, label, fence, source: write(sampleCallOf(operation, catalogue, baseUrl)) };
}
