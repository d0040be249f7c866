// The text of migration documents: written part by part, with a checksum of everything before it.
import { createHash } from 'node:crypto';
import type { Ctx } from '../../context.ts';
import { DomainError } from '../../errors.ts';
import { paginate } from '../../lists/row-batches.ts';
import { canonicalJson } from '../../values/canonical-json.ts';
import type { MigrationPart, MigrationParts } from './part.ts';

/** Leaves room in the body of an import for its other fields. */
const maxBytes = 7 * 1024 * 1024;

/**
 * Writes the document of the requested parts as canonical JSON, except that the checksum comes last and that a part may
 * keep its own field order. `checkAccess` throws when the reader has lost access. Throws `export_too_large` for a document
 * that exceeds what an import accepts.
 */
export async function* documentText(
  ctx: Ctx,
  { parts, wanted }: { parts: MigrationParts; wanted: readonly string[] },
  checkAccess: () => Promise<void>,
): AsyncGenerator<string> {
  const hash = createHash('sha256');
  let bytes = 0;
  const summed = (text: string, canonical = text) => {
    hash.update(canonical);
    bytes += Buffer.byteLength(text);
    if (bytes > maxBytes)
      throw tooLarge(
        `The document has more than ${maxBytes / 1024 / 1024} MiB. Export fewer parts at once: name them in \`parts\`.`,
      );
    return text;
  };
  const exportedAt = canonicalJson(new Date().toISOString());
  yield summed(`{"exported_at":${exportedAt},"format":"gantry-migration","format_version":1,"parts":{`);
  for (const [index, name] of wanted.toSorted().entries()) {
    const part = parts[name];
    if (part === undefined) throw new Error(`there is no part ${name} of a migration`);
    yield summed(`${index === 0 ? '' : ','}${canonicalJson(name)}:{"items":[`);
    let count = 0;
    for await (const item of itemsOf(ctx, part, checkAccess)) {
      if (count === part.max) throw tooLarge(`There are more than ${part.max.toLocaleString('en')} ${name}.`);
      const comma = count === 0 ? '' : ',';
      const canonical = canonicalJson(item);
      yield summed(`${comma}${part.textOf?.(item) ?? canonical}`, `${comma}${canonical}`);
      count += 1;
    }
    yield summed(`],"version":${part.version}}`);
  }
  yield summed('}');
  hash.update('}');
  yield `,"checksum":"sha256:${hash.digest('hex')}"}\n`;
}

function itemsOf(ctx: Ctx, part: MigrationPart, checkAccess: () => Promise<void>): AsyncGenerator<object> {
  return paginate<object>(
    checkAccess,
    (last, max) => ctx.read((queries) => part.page(queries, last, max)),
    part.readAtOnce,
  );
}

const tooLarge = (detail: string) => new DomainError('export_too_large', detail);
