// Writes the generated half of the Go SDK: structs, constants of enums, and one method for each operation.
import { comment, fieldComment, goName, isNilable, Types } from '../../shared/sdks/go-types.ts';
import type { Model, OperationModel, Parameter } from '../../shared/sdks/model.ts';
import { brief } from '../../shared/sdks/words.ts';

const notice = '// Code generated from the contract by `npm run generate:sdks`. DO NOT EDIT.';

export function goFiles(model: Model): Record<string, string> {
  const types = new Types(model.definitions);
  return { 'models_gen.go': types.file(notice), 'operations_gen.go': operations(model, types) };
}

const localKeywords = new Set(
  'break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var ctx params body'.split(
    ' ',
  ),
);

const localName = (name: string): string => {
  const whole = goName(name);
  const lowered = whole.replace(/^[A-Z]+(?=[A-Z][a-z]|$|[0-9])|^[A-Z]/, (head) => head.toLowerCase());
  return localKeywords.has(lowered) ? `${lowered}Value` : lowered;
};

function operations({ operations: all, version }: Model, types: Types): string {
  const body = all.map((operation) => operationOf(operation, types)).join('');
  return `${notice}

package gantry

import (
	"context"
	"net/url"
)

// ContractVersion is the version of the contract that this package was generated from.
const ContractVersion = ${JSON.stringify(version)}
${body}`;
}

function operationOf(operation: OperationModel, types: Types): string {
  const { id, method, path, summary, description, parameters, body, result, isPublic, isIdempotent, entry } =
    operation;
  const name = goName(id);
  const inPath = parameters.filter(({ place }) => place === 'path');
  const others = parameters.filter(({ place }) => place !== 'path');
  const parametersType = others.length === 0 ? '' : `${name}Params`;
  const bodyType =
    body === undefined ? '' : body.contentType === 'multipart/form-data' ? 'Form' : types.type(body.value);
  const given = [
    'ctx context.Context',
    ...inPath.map((each) => `${localName(each.name)} ${types.type({ ...each, isNullable: false })}`),
    ...(body === undefined
      ? []
      : [`body ${body.isRequired || isNilable(bodyType) ? bodyType : `*${bodyType}`}`]),
    ...(parametersType === '' ? [] : [`params *${parametersType}`]),
  ].join(', ');
  const returned = result === undefined ? '' : types.type(result.value);
  const struct =
    parametersType === ''
      ? ''
      : `\n// ${parametersType} holds the optional parameters of ${name}.\ntype ${parametersType} struct {\n${others.map((each) => parameterField(each, types)).join('')}}\n`;
  const pathText = JSON.stringify(path)
    .replace(/\{(\w+)\}/g, (_, key: string) => `" + url.PathEscape(text(${localName(key)})) + "`)
    .replace(/ \+ ""$/, '');
  const settings = [
    `operation: ${JSON.stringify(id)}`,
    `method: ${JSON.stringify(method)}`,
    `path: ${pathText}`,
    ...(body === undefined
      ? []
      : [
          body.isRequired || isNilable(bodyType) ? 'body: body' : 'body: optional(body)',
          `contentType: ${JSON.stringify(body.contentType)}`,
        ]),
    ...(isPublic ? ['isPublic: true'] : []),
    ...(isIdempotent ? ['isIdempotent: true'] : []),
  ].join(', ');
  const setting = others
    .map(
      ({ name: wire, place }) =>
        `\t\tcall.${place === 'query' ? 'setQuery' : 'setHeader'}(${JSON.stringify(wire)}, params.${goName(wire)})\n`,
    )
    .join('');
  const prepared = `\tcall := call{${settings}}\n${setting === '' ? '' : `\tif params != nil {\n${setting}\t}\n`}`;
  const end =
    result === undefined
      ? '\treturn c.send(ctx, &call, nil)\n'
      : `\tvar result ${returned}\n\terr := c.send(ctx, &call, &result)\n\treturn result, err\n`;
  const pager = entry === undefined ? '' : pagerOf(operation, types, inPath, body !== undefined);
  return `${struct}
${comment(`${summary}. ${brief(description)}`, name)}func (c *Client) ${name}(${given}) ${result === undefined ? 'error' : `(${returned}, error)`} {
${prepared}${end}}
${pager}`;
}

/** A method that walks through every entry, for lists. */
function pagerOf(
  { id, entry, parameters }: OperationModel,
  types: Types,
  inPath: Parameter[],
  hasBody: boolean,
): string {
  if (entry === undefined || hasBody) return '';
  const name = goName(id);
  const type = types.type(entry);
  const given = inPath
    .map((each) => `, ${localName(each.name)} ${types.type({ ...each, isNullable: false })}`)
    .join('');
  const passed = inPath.map((each) => `, ${localName(each.name)}`).join('');
  const walker = `All${name.replace(/^List/, '')}`;
  const hasLimit = parameters.some((each) => each.name === 'limit');
  return `
// ${walker} returns every entry of ${name}, page by page.
func (c *Client) ${walker}(ctx context.Context${given}, params *${name}Params) *Pages[${type}] {
	query := ${name}Params{}
	if params != nil {
		query = *params
	}
${hasLimit ? '\tif query.Limit == nil {\n\t\tquery.Limit = Ptr(int64(100))\n\t}\n' : ''}	return newPages(func(cursor *string) ([]${type}, *string, error) {
		if cursor != nil {
			query.Cursor = cursor
		}
		page, err := c.${name}(ctx${passed}, &query)
		return page.Data, page.NextCursor, err
	})
}
`;
}

function parameterField(parameter: Parameter, types: Types): string {
  const type = types.type({ ...parameter, isNullable: false });
  return `${fieldComment(parameter.description)}\t${goName(parameter.name)} ${parameter.isRequired || isNilable(type) ? type : `*${type}`}\n`;
}
