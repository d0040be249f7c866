// The download of the plugin that reports to the platform who joins and leaves a game server.
import { Button } from '@mantine/core';
import { Download } from 'lucide-react';
import { useTexts } from '../texts/texts.ts';

export function PluginDownload() {
  const t = useTexts('common');
  return (
    <Button
      component="a"
      href="/api/plugin/download"
      download="GantryEvents.cs"
      variant="default"
      leftSection={<Download size={16} aria-hidden="true" />}
    >
      {t('downloadPlugin')}
    </Button>
  );
}
