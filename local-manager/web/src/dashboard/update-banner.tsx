// Says that there is a newer version of the manager.
import { Alert, Button } from '@mantine/core';
import { Icon } from '@gantry/ui/icons.tsx';
import { useUpdate } from '../api/queries.ts';

export function UpdateBanner() {
  const { data } = useUpdate();
  if (data === undefined || !data.isNewer || data.latest === null) return null;
  const { version, url, notes } = data.latest;
  return (
    <Alert
      color="blue"
      icon={<Icon name="info" />}
      title={`Version ${version} of the local manager is available`}
    >
      <p className="sentence">
        This is {data.currentVersion}. {notes ?? ''}
      </p>
      {url !== null && (
        <Button
          component="a"
          size="xs"
          variant="default"
          href={url}
          target="_blank"
          rel="noopener noreferrer"
        >
          Open its page
        </Button>
      )}
    </Alert>
  );
}
