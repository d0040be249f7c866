// Light, dark, or the system's colour scheme.
import { ActionIcon, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { Icon, type IconName } from './shared/icons.tsx';

const schemes: Record<MantineColorScheme, { next: MantineColorScheme; icon: IconName; words: string }> = {
  auto: { next: 'light', icon: 'screen', words: 'as the system' },
  light: { next: 'dark', icon: 'sun', words: 'light' },
  dark: { next: 'auto', icon: 'moon', words: 'dark' },
};

export function SchemeSwitch() {
  // Suppressing transitions would take a style element, which the page's security policy refuses.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const { next, icon, words } = schemes[colorScheme];
  return (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label={`Colours: ${words}. Change to ${schemes[next].words}`}
      title={`Colours: ${words}`}
      onClick={() => setColorScheme(next)}
    >
      <Icon name={icon} />
    </ActionIcon>
  );
}
