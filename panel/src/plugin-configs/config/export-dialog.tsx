// The plugin's files as a server without any of them would get them.
import { Button, NativeSelect } from '@mantine/core';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { Dialog } from '@gantry/ui/dialog.tsx';
import type { Schemas } from '../../api/operations.ts';
import { useRead } from '../../api/reading.ts';
import { useFormats } from '../../shared/formats.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { saveText } from '../../shared/save-text.ts';
import { useTexts } from '../../texts/texts.ts';
import classes from './config.module.css';

interface ExportDialogProps {
  config: Schemas['PluginConfigSummary'];
  isDirty: boolean;
  onClose: () => void;
}

const frameworks = { oxide: 'Oxide', carbon: 'Carbon' } as const;

export function ExportDialog({ config, isDirty, onClose }: ExportDialogProps) {
  const t = useTexts('plugin-configs');
  const formats = useFormats();
  const [framework, setFramework] = useState<keyof typeof frameworks>('oxide');
  const files = useRead('/api/plugin-configs/{kind}/{plugin_config_id}/export', {
    params: { path: { kind: config.kind, plugin_config_id: config.id }, query: { framework } },
  });
  return (
    <Dialog isOpen title={t('export.title', { name: config.name })} size="wide" onClose={onClose}>
      <div className={`stack ${classes.dialogBody}`}>
        <p className="hint">{isDirty ? t('export.savedOnly') : t('export.lead')}</p>
        <NativeSelect
          label={t('export.framework')}
          value={framework}
          data={Object.entries(frameworks).map(([value, label]) => ({ value, label }))}
          onChange={(event) => setFramework(event.currentTarget.value as keyof typeof frameworks)}
        />
        <Loaded asked={files} waitingFor={t('export.files')}>
          {({ files: written }) =>
            written.length === 0 ? (
              <p className="hint">{t('export.empty')}</p>
            ) : (
              <ul className={classes.files}>
                {written.map(({ file, path, content }) => (
                  <li key={file}>
                    <span className="grow path">
                      {path} <span className="dim nowrap">{formats.bytes(new Blob([content]).size)}</span>
                    </span>
                    <Button
                      variant="default"
                      size="compact-sm"
                      aria-label={t('export.download', { file: path })}
                      leftSection={<Download size={14} aria-hidden="true" />}
                      onClick={() => saveText(file.split('/').at(-1) ?? file, content, 'application/json')}
                    >
                      {t('export.save')}
                    </Button>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </div>
    </Dialog>
  );
}
