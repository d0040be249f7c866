// The call of an operation with the Go SDK, whose bodies are structs.
import { plainText } from '../../../shared/plain-text.ts';
import { goName, Types } from '../../../shared/sdks/go-types.ts';
import type { Property, Value } from '../../../shared/sdks/definitions.ts';
import { modelOf, type Model, type OperationModel } from '../../../shared/sdks/model.ts';
import {
  sampleFile,
  type SampleBody,
  type SampleCall,
  type SampleLanguage,
  type SampleValue,
} from '../../contract/reference/samples/sample-call.ts';

/** Reads the types of the published contract at the first sample. */
export function goSamples(read: () => Record<string, unknown>): SampleLanguage {
  let writer: GoWriter | undefined;
  const write = (call: SampleCall) => (writer ??= new GoWriter(modelOf(read()))).write(call);
  return { label: 'Go', fence: 'go', write };
}

class GoWriter {
  readonly #operations: ReadonlyMap<string, OperationModel>;
  readonly #types: Types;

  constructor({ operations, definitions }: Model) {
    this.#operations = new Map(operations.map((operation) => [operation.id, operation]));
    this.#types = new Types(definitions, 'gantry.');
  }

  write({ operation: { id, status }, baseUrl, values, credential, body }: SampleCall): string {
    const operation = this.#operations.get(id);
    if (operation === undefined) throw new Error(`the SDKs have no operation ${id}`);
    const hasFile =
      body?.kind === 'file' || (body?.kind === 'form' && body.fields.some(({ isFile }) => isFile));
    const option =
      credential === undefined
        ? ''
        : `, gantry.${credential.scheme === 'licenseKey' ? 'WithLicenseKey' : 'WithAPIKey'}(os.Getenv(${quoted(credential.variable)}))`;
    const given = ['context.Background()', ...this.#arguments(operation, values, body)].join(', ');
    const call = `client.${goName(id)}(${given})`;
    const isSilent = status === '204' || operation.result === undefined;
    const lines = [
      `client := gantry.NewClient(${quoted(baseUrl)}${option})`,
      ...(hasFile
        ? [`content, err := os.ReadFile(${quoted(sampleFile)})`, 'if err != nil {', '\tlog.Fatal(err)', '}']
        : []),
      ...(isSilent
        ? [`if err := ${call}; err != nil {`, '\tlog.Fatal(err)', '}']
        : [`result, err := ${call}`, 'if err != nil {', '\tlog.Fatal(err)', '}', 'fmt.Println(result)']),
    ];
    const imports = [
      'context',
      ...(isSilent ? [] : ['fmt']),
      'log',
      ...(credential !== undefined || hasFile ? ['os'] : []),
    ];
    return [
      'package main',
      '',
      'import (',
      ...imports.map((name) => `\t"${name}"`),
      '',
      '\tgantry "github.com/gantry-platform/gantry-go"',
      ')',
      '',
      'func main() {',
      ...lines
        .join('\n')
        .split('\n')
        .map((line) => `\t${line}`),
      '}',
    ].join('\n');
  }

  #arguments(
    operation: OperationModel,
    values: SampleCall['values'],
    body: SampleBody | undefined,
  ): string[] {
    const inPath = operation.parameters.filter(({ place }) => place === 'path');
    const others = operation.parameters.filter(({ place }) => place !== 'path');
    const required = [...values.query, ...values.header];
    const fields = others.flatMap((parameter) => {
      const value = required.find(({ name }) => name === parameter.name);
      return value === undefined
        ? []
        : [[goName(parameter.name), this.#literal(value.example, parameter)] as Pair];
    });
    return [
      ...inPath.map((parameter) => this.#literal(exampleOf(values.path, parameter.name), parameter)),
      ...(body === undefined || operation.body === undefined ? [] : [this.#body(body, operation.body)]),
      ...(others.length === 0
        ? []
        : [fields.length === 0 ? 'nil' : `&${pairs(`gantry.${goName(operation.id)}Params`, fields)}`]),
    ];
  }

  #body(body: SampleBody, { value, isRequired }: NonNullable<OperationModel['body']>): string {
    if (body.kind === 'file') return 'content';
    if (body.kind === 'json') {
      const text = this.#literal(body.example, { ...value, isNullable: false });
      return isRequired || !/^gantry\./.test(text) ? text : `&${text}`;
    }
    const fields = body.fields.map(({ name, value: field, isFile }): Pair => [
      quoted(name),
      isFile ? `gantry.File{Name: ${quoted(sampleFile)}, Content: content}` : quoted(plainText(field)),
    ]);
    return pairs('gantry.Form', fields);
  }

  #literal(value: unknown, expected: Value): string {
    const { type } = expected;
    if (type.kind === 'any' || value === null) return anyLiteral(value);
    if (type.kind === 'named') {
      const target = this.#types.targetOf(type.name);
      if (target !== undefined) return this.#literal(value, target);
      const properties = this.#types.propertiesOf(type.name);
      if (properties !== undefined)
        return this.#struct(value as Record<string, unknown>, expected, properties);
    }
    const typeText = this.#types.type({ ...expected, isNullable: false });
    if (type.kind === 'list')
      return block(
        typeText,
        (value as unknown[]).map((item) => this.#pointed(item, type.of)),
      );
    if (type.kind === 'map')
      return pairs(
        typeText,
        Object.entries(value as object).map(([key, item]): Pair => [
          quoted(key),
          this.#pointed(item, type.of),
        ]),
      );
    return JSON.stringify(value);
  }

  /** Entries of lists and maps are pointers if they can be null. */
  #pointed(value: unknown, of: Value): string {
    const text = this.#literal(value, of);
    return value !== null && this.#types.type(of).startsWith('*') ? this.#pointer(text, of) : text;
  }

  /** Go would take a number without a type for an int. */
  #pointer(text: string, value: Value): string {
    const type = this.#types.type({ ...value, isNullable: false });
    return `gantry.Ptr${/^-?\d/.test(text) ? `[${type}]` : ''}(${text})`;
  }

  #struct(value: Record<string, unknown>, expected: Value, properties: Property[]): string {
    const fields = properties.flatMap((property) =>
      property.name in value
        ? [[goName(property.name), this.#field(value[property.name], property)] as Pair]
        : [],
    );
    return pairs(this.#types.type({ ...expected, isNullable: false }), fields);
  }

  #field(value: unknown, property: Property): string {
    const type = this.#types.fieldType(property);
    if (type.startsWith('*Nullable['))
      return value === null
        ? `gantry.Null[${type.slice(10, -1)}]()`
        : `gantry.Some[${type.slice(10, -1)}](${this.#literal(value, property)})`;
    const text = this.#literal(value, property);
    return type.startsWith('*') && value !== null ? this.#pointer(text, property) : text;
  }
}

const exampleOf = (values: readonly SampleValue[], name: string) =>
  values.find((value) => value.name === name)?.example ?? `{${name}}`;

function anyLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'nil';
  if (Array.isArray(value)) return block('[]any', value.map(anyLiteral));
  if (typeof value !== 'object') return JSON.stringify(value);
  return pairs(
    'map[string]any',
    Object.entries(value).map(([key, item]): Pair => [quoted(key), anyLiteral(item)]),
  );
}

/** A key with its value. */
type Pair = [key: string, value: string];

/** Keys that are longer than this stand for themselves. */
const maxAlignedKey = 40;

/** Aligned as gofmt does: the values of neighbouring lines in one column, unless a value takes several lines. */
export function pairs(type: string, items: readonly Pair[]): string {
  const line = block(
    type,
    items.map(([key, value]) => `${key}: ${value}`),
  );
  if (!line.includes('\n')) return line;
  const isAlone = ([key, value]: Pair) => value.includes('\n') || key.length > maxAlignedKey;
  const runs: Pair[][] = [];
  for (const [index, item] of items.entries()) {
    const previous = items[index - 1];
    const run = runs.at(-1);
    if (run === undefined || previous === undefined || isAlone(previous) || isAlone(item)) runs.push([item]);
    else run.push(item);
  }
  const lines = runs.flatMap((run) => {
    const width = Math.max(...run.map(([key]) => key.length));
    return run.map(([key, value]) => `${key}:${' '.repeat(width - key.length + 1)}${value}`);
  });
  return block(type, lines);
}

/** On one line if it fits. */
function block(type: string, items: readonly string[]): string {
  const line = `${type}{${items.join(', ')}}`;
  if (line.length <= 70 && !line.includes('\n')) return line;
  return `${type}{\n${items.map((item) => `${`\t${item}`.replaceAll('\n', '\n\t')},\n`).join('')}}`;
}

const quoted = (text: string) => JSON.stringify(text);
