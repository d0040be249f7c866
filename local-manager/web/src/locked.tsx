// Shown to a browser without the session of this start of the manager.
import { Code, Title } from '@mantine/core';
import classes from './locked.module.css';
import { Icon } from '@gantry/ui/icons.tsx';

export function Locked() {
  return (
    <main className={classes.locked}>
      <Icon name="key" size={34} />
      <Title order={1} size="h2">
        Open the manager’s link
      </Title>
      <p>
        The manager has restarted, or this browser has never had access. Each start prints a link of its own:
        look at the window where <Code>npm run local-manager</Code> runs, and open that link.
      </p>
    </main>
  );
}
