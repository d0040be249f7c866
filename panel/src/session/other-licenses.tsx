// Offers to open the same address in another license of the user, which an address does not name.
import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { meReading } from '../api/me.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useTexts } from '../texts/texts.ts';
import { useSwitchLicense } from './use-switch-license.ts';

const maxOffered = 5;

export function OtherLicenses() {
  const t = useTexts('common');
  const router = useRouter();
  const { data: me } = useQuery({ ...meReading(), enabled: false });
  const { switchTo, switching } = useSwitchLicense();
  const others = (me?.licenses ?? []).filter(
    ({ license_id, status }) => license_id !== me?.license_id && status === 'active',
  );
  if (others.length === 0) return null;
  return (
    <>
      <Group justify="center" gap="xs">
        {others.slice(0, maxOffered).map(({ license_id, name }) => (
          <Button
            key={license_id}
            variant="default"
            loading={switching.isPending && switching.variables.body.license_id === license_id}
            onClick={() => void switchTo(license_id, router.history.location.href)}
          >
            {t('gone.openIn', { license: name })}
          </Button>
        ))}
      </Group>
      <ProblemAlert error={switching.error} />
    </>
  );
}
