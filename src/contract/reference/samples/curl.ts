// The curl command of an operation, for a shell that has the credential in a variable.
import { plainText } from '../../../../shared/plain-text.ts';
import { curlCommand, forShell } from '../../../../shared/shell-commands.ts';
import {
  sampleFile,
  targetOf,
  type SampleBody,
  type SampleCall,
  type SampleLanguage,
} from './sample-call.ts';

export const curl: SampleLanguage = { label: 'curl', fence: 'sh', write: curlOf };

function curlOf(call: SampleCall): string {
  const { operation, baseUrl, values, credential, body } = call;
  return curlCommand({
    method: operation.method,
    url: `${baseUrl}${targetOf(call)}`,
    credential,
    headers: [
      ...values.header.map(({ name, example }) => [name, plainText(example)] as const),
      ...(body === undefined || body.kind === 'form' ? [] : [['Content-Type', body.type] as const]),
    ],
    body: body === undefined ? [] : bodyOptions(body),
  });
}

function bodyOptions(body: SampleBody): string[] {
  switch (body.kind) {
    case 'json':
      return [`-d ${forShell(JSON.stringify(body.example, null, 2))}`];
    case 'form':
      return body.fields.map(
        ({ name, value, isFile }) =>
          `-F ${forShell(`${name}=${isFile ? `@${sampleFile}` : plainText(value)}`)}`,
      );
    case 'file':
      return [`--data-binary @${sampleFile}`];
  }
}
