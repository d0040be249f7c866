// A table of any length: sortable, selectable, grouped; a list of cards on phones.
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTexts } from '../../texts/texts.ts';
import type { Group } from './columns.ts';
import classes from './data-table.module.css';
import { HeadRow } from './head-row.tsx';
import type { DataTableProps } from './props.ts';
import { TableRow } from './table-row.tsx';

type Line<Row> = { kind: 'group'; group: Group<Row> } | { kind: 'row'; row: Row };

/** Shorter tables are complete in the document, so that the browser's search finds everything. */
const maxComplete = 120;
const rowHeight = 46;

const estimateSize = () => rowHeight;

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, groups, keyOf, selection, nameOf, groupAside, sort, onSort } = props;
  // Hooks of texts in each row would be most of its rendering.
  const t = useTexts('common');
  const selectLabel = useCallback((name: string) => t('table.select', { name }), [t]);
  const lines = useMemo(() => linesOf(groups), [groups]);
  const box = useRef<HTMLDivElement>(null);
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    if (box.current !== null) setOffset(box.current.getBoundingClientRect().top + window.scrollY);
  }, [lines.length]);
  const isVirtual = lines.length > maxComplete;
  // A new function would have all lines laid out again.
  const keyAt = useCallback((index: number) => keyOfLine(lines[index], keyOf), [lines, keyOf]);
  const virtual = useWindowVirtualizer({
    count: lines.length,
    enabled: isVirtual,
    estimateSize,
    overscan: 6,
    scrollMargin: offset,
    getItemKey: keyAt,
  });
  const shown = isVirtual
    ? virtual.getVirtualItems().map(({ index, start }) => ({ index, start }))
    : lines.map((_, index) => ({ index, start: offset }));
  // Scrolling renders rows only.
  const head = useMemo(
    () => <HeadRow {...{ label, columns, groups, keyOf, selection, nameOf, sort, onSort }} />,
    [label, columns, groups, keyOf, selection, nameOf, sort, onSort],
  );
  const tracks = [...(selection === undefined ? [] : ['36px']), ...columns.map(({ width }) => width)];
  return (
    <div
      role="table"
      aria-label={label}
      aria-rowcount={lines.length + 1}
      className={classes.table}
      style={{ '--tracks': tracks.join(' '), '--narrow-tracks': narrowTracks(props).join(' ') } as object}
    >
      {head}
      <div
        role="rowgroup"
        ref={box}
        className={classes.body}
        style={isVirtual ? { height: virtual.getTotalSize() } : {}}
      >
        <div
          role="presentation"
          className={isVirtual ? classes.window : ''}
          style={isVirtual ? { transform: `translateY(${(shown[0]?.start ?? offset) - offset}px)` } : {}}
        >
          {shown.map(({ index }) => {
            const line = lines[index];
            if (line === undefined) return null;
            const measure = isVirtual ? virtual.measureElement : undefined;
            if (line.kind === 'group')
              return (
                <div
                  key={`group ${line.group.key}`}
                  role="row"
                  aria-rowindex={index + 2}
                  className={classes.group}
                  ref={measure}
                  data-index={index}
                >
                  <div role="cell" className={classes.groupCell}>
                    <span className={classes.groupName}>{line.group.name}</span>
                    <span className={classes.groupCount}>{line.group.rows.length}</span>
                    {groupAside?.(line.group)}
                  </div>
                </div>
              );
            return (
              <TableRow
                key={keyOf(line.row)}
                row={line.row}
                rowKey={keyOf(line.row)}
                name={nameOf(line.row)}
                columns={columns}
                selection={selection}
                index={index}
                selectLabel={selectLabel}
                measure={measure}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

const narrowTracks = <Row,>({ selection, columns }: DataTableProps<Row>): string[] => [
  ...(selection === undefined ? [] : ['36px']),
  ...columns.filter(({ isWide }) => isWide !== true).map(({ width }) => width),
];

const linesOf = <Row,>(groups: readonly Group<Row>[]): Line<Row>[] =>
  groups.flatMap((group) => [
    ...(group.name === '' ? [] : [{ kind: 'group', group } as const]),
    ...group.rows.map((row) => ({ kind: 'row', row }) as const),
  ]);

function keyOfLine<Row>(line: Line<Row> | undefined, keyOf: (row: Row) => string): string {
  if (line === undefined) return '';
  return line.kind === 'group' ? `group ${line.group.key}` : keyOf(line.row);
}
