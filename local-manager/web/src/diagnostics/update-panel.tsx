// The version of the manager, and the check for a newer one.
import { Button } from '@mantine/core';
import { Facts } from '@gantry/ui/facts.tsx';
import { Icon } from '@gantry/ui/icons.tsx';
import { Section } from '@gantry/ui/section.tsx';
import type { Schemas } from '../api/client.ts';
import { useUpdate, useUpdateCheck } from '../api/queries.ts';
import { Loaded } from '../shared/loaded.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';

export function UpdatePanel() {
  const update = useUpdate();
  const check = useUpdateCheck();
  return (
    <Section title="Version" lead="Newer versions are only reported; nothing is installed automatically.">
      <Loaded asked={update} waitingFor="the version">
        {(found) => (
          <>
            <Facts
              facts={[
                ['This version', found.currentVersion],
                ['Newest version', found.latest?.version ?? null],
                ['Checked', found.checkedAt === null ? null : new Date(found.checkedAt).toLocaleString()],
              ]}
            />
            <p className="hint" role="status">
              {outcomeOf(found)}
            </p>
            {found.isConfigured && (
              <div className="actions">
                <Button
                  variant="default"
                  loading={check.isPending}
                  onClick={() => check.mutate()}
                  leftSection={<Icon name="restart" size={16} />}
                >
                  Check now
                </Button>
              </div>
            )}
          </>
        )}
      </Loaded>
      <ProblemAlert error={check.error} />
    </Section>
  );
}

function outcomeOf({ isConfigured, isNewer, fault, latest }: Schemas['UpdateCheck']): string {
  if (!isConfigured) return 'Updates are not checked, because LOCAL_MANAGER_UPDATE_URL is not set.';
  if (fault !== null) return fault;
  if (isNewer) return `Version ${latest?.version ?? ''} is available; the dashboard has its link.`;
  return 'This is the newest version.';
}
