// Problems of the contract, as tests expect them.
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { contract } from './contract.ts';
import type { RawResponse } from './http.ts';

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema({ $id: 'contract', components: contract.components });
const validateProblem = ajv.compile({ $ref: 'contract#/components/schemas/Problem' });

/** Fails unless the response is a valid problem of that status and code. */
export function expectProblem(
  { status, headers, body, text }: RawResponse,
  wanted: { status: number; code: string; detail?: string },
): void {
  expect({ status, body: body ?? text }).toMatchObject({ status: wanted.status, body: wanted });
  validateProblem(body);
  expect(validateProblem.errors ?? []).toEqual([]);
  expect(headers['content-type']).toBe('application/problem+json');
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['x-request-id']).toMatch(/^[\w.-]{8,64}$/);
  expect(body).toMatchObject({ request_id: headers['x-request-id'], type: `/problems/${wanted.code}` });
}
