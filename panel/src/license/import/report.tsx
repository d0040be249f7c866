// What an import does, or would do: counts for each part, every change, and what prevents it.
import { Alert, Collapse, List, Table, UnstyledButton } from '@mantine/core';
import { ScrollingTable } from '@gantry/ui/scrolling-table.tsx';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import type { Schemas } from '../../api/operations.ts';
import { useFormats } from '../../shared/formats.ts';
import { useTexts } from '../../texts/texts.ts';
import { isPart } from '../parts.ts';
import classes from './import.module.css';

type PartReport = Schemas['MigrationPartReport'];

const outcomes = ['created', 'updated', 'unchanged', 'skipped'] as const;

export function Report({ report }: { report: Schemas['MigrationReport'] }) {
  const t = useTexts('license');
  const isWithoutChange = report.parts.every(({ created, updated }) => created + updated === 0);
  return (
    <div className="stack">
      {report.faults.length > 0 && (
        <Alert color="red" role="alert" title={t('report.faults', { count: report.faults.length })}>
          <List size="sm">
            {report.faults.map(({ pointer, detail }) => (
              <List.Item key={`${pointer} ${detail}`}>
                {detail} <code className="dim">{pointer}</code>
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {isWithoutChange && report.faults.length === 0 && <Alert color="blue">{t('report.nothing')}</Alert>}
      {report.parts.map((part) => (
        <PartView key={part.part} part={part} />
      ))}
    </div>
  );
}

function PartView({ part }: { part: PartReport }) {
  const t = useTexts('license');
  const formats = useFormats();
  const contentId = useId();
  const [isOpen, setIsOpen] = useState(false);
  const name = isPart(part.part) ? t(`parts.${part.part}`) : part.part;
  return (
    <div>
      <UnstyledButton
        className={classes.part ?? ''}
        aria-expanded={isOpen}
        aria-controls={contentId}
        onClick={() => setIsOpen(!isOpen)}
      >
        {isOpen ? (
          <ChevronDown size={16} aria-hidden="true" />
        ) : (
          <ChevronRight size={16} aria-hidden="true" />
        )}
        <span className="grow">{name}</span>
        {outcomes
          .filter((outcome) => part[outcome] > 0)
          .map((outcome) => (
            <span key={outcome} className={classes.count} data-outcome={outcome}>
              {t(`report.${outcome}`, { count: part[outcome], number: formats.number(part[outcome]) })}
            </span>
          ))}
      </UnstyledButton>
      <Collapse expanded={isOpen} id={contentId} transitionDuration={0}>
        <ScrollingTable label={name}>
          <Table.Tbody>
            {part.items.map((item) => (
              <Table.Tr key={item.pointer}>
                <Table.Th scope="row">{item.label}</Table.Th>
                <Table.Td>{t(`report.outcomes.${item.outcome}`)}</Table.Td>
                <Table.Td>
                  {item.reason}
                  {item.changes.map(({ field, before, after }) => (
                    <div key={field} className={classes.change}>
                      <code>{field}</code>: <del>{textOf(before)}</del> → <ins>{textOf(after)}</ins>
                    </div>
                  ))}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </ScrollingTable>
      </Collapse>
    </div>
  );
}

const maxLength = 300;

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > maxLength ? `${text.slice(0, maxLength)} …` : text;
}
