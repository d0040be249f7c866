// Light, dark, or the system's colour scheme.
import { ActionIcon, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { Icon, type IconName } from './icons.tsx';
import { useWords } from './words.tsx';

const schemes: Record<MantineColorScheme, { next: MantineColorScheme; icon: IconName }> = {
  auto: { next: 'light', icon: 'screen' },
  light: { next: 'dark', icon: 'sun' },
  dark: { next: 'auto', icon: 'moon' },
};

export function SchemeSwitch() {
  const words = useWords();
  // Suppressing transitions would take a style element, which the page's security policy refuses.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const { next, icon } = schemes[colorScheme];
  const current = words.schemes[colorScheme];
  return (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label={words.changeScheme(current, words.schemes[next])}
      title={words.scheme(current)}
      onClick={() => setColorScheme(next)}
    >
      <Icon name={icon} />
    </ActionIcon>
  );
}
