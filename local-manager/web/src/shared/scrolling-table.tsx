// A table that scrolls sideways on narrow screens, by keyboard too.
import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

export function ScrollingTable({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="scrollable" role="group" aria-label={`${label}, to be moved sideways`} tabIndex={0}>
      <Table aria-label={label}>{children}</Table>
    </div>
  );
}
