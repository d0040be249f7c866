// The title and description of a page.
import { Title } from '@mantine/core';
import type { ReactNode } from 'react';

export function PageHead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div>
      <Title order={1} size="h2">
        {title}
      </Title>
      {children !== undefined && <p className="hint">{children}</p>}
    </div>
  );
}
