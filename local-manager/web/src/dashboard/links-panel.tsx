// Pages that the virtual machine serves itself.
import { Button } from '@mantine/core';
import type { Schemas } from '../api/client.ts';
import { Icon } from '@gantry/ui/icons.tsx';
import { Section } from '@gantry/ui/section.tsx';

const names = { fileBrowser: 'File browser', director: 'Director' } as const;

export function LinksPanel({ links }: { links: Schemas['Links'] }) {
  const present = (['fileBrowser', 'director'] as const).flatMap((name) => {
    const address = links[name];
    return address === null ? [] : [{ name, address }];
  });
  return (
    <Section
      title="Pages of the virtual machine"
      lead="Available in this network only. The file browser has no password: never forward its port."
    >
      {present.length === 0 ? (
        <p className="hint">Available while the battlegroup is running.</p>
      ) : (
        <div className="actions">
          {present.map(({ name, address }) => (
            <Button
              key={name}
              component="a"
              variant="default"
              href={address}
              target="_blank"
              rel="noreferrer"
              leftSection={<Icon name="link" size={16} />}
            >
              {names[name]}
            </Button>
          ))}
        </div>
      )}
    </Section>
  );
}
