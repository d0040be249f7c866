// Conditions of problems in descriptions: those of an operation's own, and those of its problem responses.
import { resolved, type OperationObject, type Response } from './document.ts';

/** Sentences by problem code: when an operation fails with the code. */
export type Conditions = ReadonlyMap<string, string>;

const heading = '**Problems:**';

/** The conditions as paragraphs: the description of a response. */
export const paragraphsOf = (conditions: Conditions): string => linesOf(conditions).join('\n\n');

const linesOf = (conditions: Conditions) =>
  [...conditions].map(([code, condition]) => `\`${code}\`: ${condition}`);

/** The description, followed by a list of the conditions. */
export const withConditions = (description: string, conditions: Conditions): string =>
  conditions.size === 0
    ? description
    : [`${description.trimEnd()}\n\n${heading}`, ...linesOf(conditions).map((line) => `- ${line}`)].join(
        '\n',
      );

/** A description, split into its text and the conditions that follow it. */
export function splitDescription(description: string): { text: string; conditions: Conditions } {
  const paragraphs = description.trim().split(/\n{2,}/);
  const isList = (paragraph: string) => paragraph.startsWith(`${heading}\n`);
  return {
    text: paragraphs.filter((paragraph) => !isList(paragraph)).join('\n\n'),
    conditions: new Map(paragraphs.filter(isList).flatMap((list) => listed(list))),
  };
}

/** Every problem that the operation declares, with its condition. What the operation itself states takes precedence. */
export function problemsOf(
  document: object,
  { description = '', responses }: Pick<OperationObject, 'description' | 'responses'>,
): Conditions {
  const { conditions } = splitDescription(description);
  const declared = Object.values(responses).flatMap((response) =>
    conditionsIn(resolved<Response>(document, response)),
  );
  return new Map(declared.map(([code, condition]) => [code, conditions.get(code) ?? condition]));
}

/** The problems that the response describes, with their conditions. */
export const conditionsIn = ({ description = '', content = {} }: Response): Condition[] =>
  content['application/problem+json'] === undefined ? [] : listed(description);

type Condition = [code: string, sentence: string];

const listed = (lines: string): Condition[] =>
  [...lines.matchAll(/^(?:- )?`(\w+)`: (.*)$/gm)].map(([, code = '', sentence = '']) => [code, sentence]);
