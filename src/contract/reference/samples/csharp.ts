// The request of an operation in C#, with the HttpClient of .NET.
import { plainText } from '../../../../shared/plain-text.ts';
import {
  sampleFile,
  targetOf,
  type SampleBody,
  type SampleCall,
  type SampleLanguage,
} from './sample-call.ts';

export const csharp: SampleLanguage = { label: 'C#', fence: 'csharp', write: csharpOf };

function csharpOf(call: SampleCall): string {
  const { operation, baseUrl, values, credential, body } = call;
  const headers = values.header.map(
    ({ name, example }) =>
      `request.Headers.TryAddWithoutValidation(${quoted(name)}, ${quoted(plainText(example))});`,
  );
  return [
    'using System.Net.Http.Headers;',
    'using System.Text;',
    '',
    `using var client = new HttpClient { BaseAddress = new Uri(${quoted(baseUrl)}) };`,
    `using var request = new HttpRequestMessage(HttpMethod.${methodName(operation.method)}, ${quoted(targetOf(call))});`,
    ...(credential === undefined
      ? []
      : [
          `var credential = Environment.GetEnvironmentVariable(${quoted(credential.variable)});`,
          credential.prefix === ''
            ? `request.Headers.Add(${quoted(credential.header)}, credential);`
            : 'request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", credential);',
        ]),
    ...headers,
    ...(body === undefined ? [] : bodyLines(body)),
    '',
    'using var response = await client.SendAsync(request);',
    'response.EnsureSuccessStatusCode();',
    ...(operation.status === '204' ? [] : ['Console.WriteLine(await response.Content.ReadAsStringAsync());']),
  ].join('\n');
}

function bodyLines(body: SampleBody): string[] {
  switch (body.kind) {
    case 'json':
      return [
        `request.Content = new StringContent(${rawText(JSON.stringify(body.example, null, 2))}, Encoding.UTF8, ${quoted(body.type)});`,
      ];
    case 'form':
      return [
        'request.Content = new MultipartFormDataContent',
        '{',
        ...body.fields.map(({ name, value, isFile }) =>
          isFile
            ? `    { new ByteArrayContent(File.ReadAllBytes(${quoted(sampleFile)})), ${quoted(name)}, ${quoted(sampleFile)} },`
            : `    { new StringContent(${quoted(plainText(value))}), ${quoted(name)} },`,
        ),
        '};',
      ];
    case 'file':
      return [
        `request.Content = new ByteArrayContent(File.ReadAllBytes(${quoted(sampleFile)}));`,
        `request.Content.Headers.ContentType = new MediaTypeHeaderValue(${quoted(body.type)});`,
      ];
  }
}

/** A raw string literal of C# 11; its quotes outnumber those of the text. */
function rawText(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/"+/g)].map(([run]) => run.length));
  const quotes = '"'.repeat(Math.max(3, longest + 1));
  return [quotes, ...text.split('\n'), quotes].join('\n    ');
}

const methodName = (method: string) => method.charAt(0) + method.slice(1).toLowerCase();

const quoted = (text: string) => JSON.stringify(text);
