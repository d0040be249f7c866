// The curl command of an operation, for a shell that has the credential in a variable.
import {
  sampleFile,
  targetOf,
  textOf,
  type SampleBody,
  type SampleCall,
  type SampleLanguage,
} from './sample-call.ts';

export const curl: SampleLanguage = { label: 'curl', fence: 'sh', write: curlOf };

function curlOf(call: SampleCall): string {
  const { operation, baseUrl, values, credential, body } = call;
  const { method } = operation;
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(`${baseUrl}${targetOf(call)}`)}`,
    ...(credential === undefined
      ? []
      : [`-H "${credential.header}: ${credential.prefix}$${credential.variable}"`]),
    ...values.header.map(({ name, example }) => `-H ${quoted(`${name}: ${textOf(example)}`)}`),
    ...(body === undefined ? [] : bodyLines(body)),
  ];
  return lines.join(' \\\n  ');
}

function bodyLines(body: SampleBody): string[] {
  switch (body.kind) {
    case 'json':
      return [`-H 'Content-Type: ${body.type}'`, `-d ${quoted(JSON.stringify(body.example, null, 2))}`];
    case 'form':
      return body.fields.map(
        ({ name, value, isFile }) => `-F ${quoted(`${name}=${isFile ? `@${sampleFile}` : textOf(value)}`)}`,
      );
    case 'file':
      return [`-H 'Content-Type: ${body.type}'`, `--data-binary @${sampleFile}`];
  }
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
