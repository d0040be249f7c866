// Shows users without a virtual machine where to begin.
import { Button } from '@mantine/core';
import { Icon } from '@gantry/ui/icons.tsx';
import { Section } from '@gantry/ui/section.tsx';

export function WelcomePanel() {
  return (
    <Section
      title="Welcome"
      lead="There is no virtual machine on this host yet. The setup leads to a world that players can join: it checks the host, imports and locks the virtual machine, sets its address and creates the battlegroup. You can leave at any time and continue later."
    >
      <Button component="a" href="#/setup" leftSection={<Icon name="setup" size={16} />}>
        Begin the setup
      </Button>
    </Section>
  );
}
