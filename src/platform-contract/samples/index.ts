// The languages of the samples in the platform's reference: those of its SDKs, and C#.
import { csharp } from '../../contract/reference/samples/csharp.ts';
import type { SampleLanguage } from '../../contract/reference/samples/sample-call.ts';
import { goSamples } from './go.ts';
import { php } from './php.ts';
import { python } from './python.ts';
import { typescript } from './typescript.ts';

/** `read` returns the published contract, which the SDKs are generated from. */
export const sampleLanguages = (read: () => Record<string, unknown>): SampleLanguage[] => [
  typescript,
  python,
  goSamples(read),
  php,
  csharp,
];
