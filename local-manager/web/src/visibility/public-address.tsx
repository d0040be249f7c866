// Has the virtual machine detect the public address on request.
import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api, bodyOf } from '../api/client.ts';
import { Icon } from '@gantry/ui/icons.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';

export function PublicAddress({ onFound }: { onFound: (address: string) => void }) {
  const detect = useMutation({
    mutationFn: () =>
      bodyOf(api.GET('/api/server-visibility', { params: { query: { detectPublicIp: true } } })),
    onSuccess: ({ publicIp }) => {
      if (publicIp !== null) onFound(publicIp);
    },
  });
  return (
    <>
      <Button
        mt="xs"
        size="xs"
        variant="default"
        loading={detect.isPending}
        onClick={() => detect.mutate()}
        leftSection={<Icon name="globe" size={14} />}
      >
        Find my public address
      </Button>
      <Text size="xs" c="dimmed" mt={4} role="status">
        {detect.isSuccess && detect.data.publicIp === null
          ? 'api.ipify.org did not return it.'
          : 'The virtual machine asks api.ipify.org, and only when you press this.'}
      </Text>
      <ProblemAlert error={detect.error} />
    </>
  );
}
