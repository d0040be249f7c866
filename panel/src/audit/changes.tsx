// The recorded fields of an entry, before and after.
import { Table, Title } from '@mantine/core';
import { ScrollingTable } from '@gantry/ui/scrolling-table.tsx';
import { useFormats } from '../shared/formats.ts';
import { useTexts } from '../texts/texts.ts';
import classes from './audit.module.css';
import type { AuditEntry } from './audit-search.ts';
import { useAuditWords, type Names } from './words.ts';

interface ChangesProps {
  entry: AuditEntry;
  names: Names;
}

export function Changes({ entry: { before, after }, names }: ChangesProps) {
  const t = useTexts('audit');
  const words = useAuditWords();
  const isChange = before !== null && after !== null;
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort();
  // A created or deleted resource is its fields; those without a value say nothing.
  const shown = isChange ? fields : fields.filter((field) => (after ?? before)?.[field] !== null);
  const title = isChange ? t('detail.changes') : t('detail.contents');
  return (
    <section aria-label={title}>
      <Title order={3} size="h4" mb={6}>
        {title}
      </Title>
      {shown.length === 0 ? (
        <p className="hint">{t('detail.noChanges')}</p>
      ) : (
        <ScrollingTable label={title}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('detail.field')}</Table.Th>
              {isChange ? (
                <>
                  <Table.Th scope="col">{t('detail.before')}</Table.Th>
                  <Table.Th scope="col">{t('detail.after')}</Table.Th>
                </>
              ) : (
                <Table.Th scope="col">{t('detail.value')}</Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((field) => (
              <Table.Tr key={field}>
                <Table.Th scope="row" className={classes.field ?? ''}>
                  <span title={field}>{words.field(field)}</span>
                </Table.Th>
                {isChange ? (
                  <>
                    <Table.Td className={classes.former ?? ''}>
                      <Value value={before[field]} isIdentifier={words.isIdentifier(field)} names={names} />
                    </Table.Td>
                    <Table.Td>
                      <Value value={after[field]} isIdentifier={words.isIdentifier(field)} names={names} />
                    </Table.Td>
                  </>
                ) : (
                  <Table.Td>
                    <Value
                      value={(after ?? before)?.[field]}
                      isIdentifier={words.isIdentifier(field)}
                      names={names}
                    />
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </ScrollingTable>
      )}
    </section>
  );
}

const secret = '[secret]';

interface ValueProps {
  value: unknown;
  names: Names;
  isIdentifier: boolean;
}

function Value({ value, names, isIdentifier }: ValueProps) {
  const t = useTexts('audit');
  const formats = useFormats();
  if (value === null || value === undefined) return <span className="dim">{t('detail.notSet')}</span>;
  if (value === secret) return <span className="dim">{t('detail.secret')}</span>;
  if (typeof value === 'boolean') return value ? t('detail.yes') : t('detail.no');
  if (typeof value === 'number') return isIdentifier ? String(value) : formats.number(value);
  if (typeof value === 'string' && names.has(value)) return <span title={value}>{names.get(value)}</span>;
  if (typeof value === 'string')
    return isTime(value) ? <time dateTime={value}>{formats.dateTime(value)}</time> : value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ');
  return <pre className={classes.json}>{JSON.stringify(value, undefined, 2)}</pre>;
}

const isTime = (value: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value) && !Number.isNaN(Date.parse(value));
