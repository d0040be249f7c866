// What another user has saved while this form was edited, beside the own changes.
import { Alert, Button, Group, Table } from '@mantine/core';
import { ScrollingTable } from '@gantry/ui/scrolling-table.tsx';
import { GitCompareArrows } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTexts } from '../texts/texts.ts';
import type { Draft } from './draft.ts';

interface ConflictProps<Values extends object> {
  draft: Draft<Values>;
  /** The fields with their names and their values in words. */
  fields: readonly { key: keyof Values; name: string; show: (values: Values) => ReactNode }[];
}

export function Conflict<Values extends object>({ draft, fields }: ConflictProps<Values>) {
  const t = useTexts('common');
  const { theirs, values } = draft;
  if (theirs === null) return null;
  const differing = fields.filter(({ key }) => JSON.stringify(theirs[key]) !== JSON.stringify(values[key]));
  return (
    <Alert color="yellow" role="alert" icon={<GitCompareArrows size={18} />} title={t('conflict.title')}>
      <p className="sentence">{t('conflict.detail')}</p>
      <ScrollingTable label={t('conflict.title')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('conflict.field')}</Table.Th>
            <Table.Th scope="col">{t('conflict.mine')}</Table.Th>
            <Table.Th scope="col">{t('conflict.theirs')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {differing.map(({ key, name, show }) => (
            <Table.Tr key={String(key)}>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td>{show(values)}</Table.Td>
              <Table.Td>{show(theirs)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrollingTable>
      <Group gap="xs" mt="sm">
        <Button size="xs" variant="default" onClick={draft.takeTheirs}>
          {t('conflict.takeTheirs')}
        </Button>
        <Button size="xs" variant="default" onClick={draft.keepMine}>
          {t('conflict.keepMine')}
        </Button>
      </Group>
    </Alert>
  );
}
