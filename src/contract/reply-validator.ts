// Validates the replies of handlers against the contract, in tests and development.
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { isJson, operationsIn, successOf } from '../../shared/openapi/document.ts';
import type { Document, Operation } from './document.ts';
import { documentOfValidator } from './reduced-document.ts';
import { withChoices } from './unions.ts';
import { createValidator } from './values.ts';

/** Operations share the compiled schemas of their components; each variant has components of its own. */
export class ReplyValidator {
  readonly #document: Document;
  readonly #compiled = new Map<string, Ajv2020>();

  constructor(document: Document) {
    this.#document = document;
  }

  /** Throws unless the body, as JSON transmits it, has the schema of the operation's success. */
  check(operation: Operation, body: unknown): void {
    const validate = this.#validatorOf(operation).getSchema(`contract#/replies/${operation.id}`);
    if (validate === undefined) {
      if (body === undefined) return;
      throw new Error(`the contract has no JSON in the response ${operation.status} of ${operation.id}`);
    }
    const sent = body === undefined ? undefined : (JSON.parse(JSON.stringify(body)) as unknown);
    if (validate(sent) === true) return;
    const faults = (validate.errors ?? []).map(({ instancePath, message = '' }) =>
      `${instancePath} ${message}`.trim(),
    );
    throw new Error(`the reply of ${operation.id} breaks the contract: ${faults.join(', ')}`);
  }

  #validatorOf(operation: Operation): Ajv2020 {
    const { validator, variant } = operation;
    const key = variant === undefined ? '' : `${validator}/${variant.value}`;
    let compiled = this.#compiled.get(key);
    if (compiled === undefined) {
      compiled = compile(
        variant === undefined ? this.#document : documentOfValidator(this.#document, operation),
      );
      this.#compiled.set(key, compiled);
    }
    return compiled;
  }
}

/** One root for all schemas: the validator compiles each component once, at the first reply that needs it. */
function compile(document: Document): Ajv2020 {
  const replies = operationsIn(document).flatMap(({ operation }) => {
    const { content } = successOf(document, operation)?.response ?? {};
    const schema = Object.entries(content ?? {}).find(([type]) => isJson(type))?.[1].schema;
    return schema === undefined ? [] : [[operation.operationId ?? '', schema] as const];
  });
  const { components } = document;
  return createValidator()
    .removeKeyword('writeOnly')
    .addKeyword({ keyword: 'writeOnly', schemaType: 'boolean', validate: (isSecret: boolean) => !isSecret })
    .addSchema({ $id: 'contract', ...withChoices({ components, replies: Object.fromEntries(replies) }) });
}

const ofDocument = new WeakMap<Document, ReplyValidator>();

/** The document's validator. Servers of one process share it, because compiling takes much longer than checking. */
export function replyValidatorOf(document: Document): ReplyValidator {
  const known = ofDocument.get(document) ?? new ReplyValidator(document);
  ofDocument.set(document, known);
  return known;
}
