// Copies of plugins that were uninstalled or replaced; each can be restored.
import { Button } from '@mantine/core';
import { Section } from '@gantry/ui/section.tsx';
import { useMay } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import { hasCode } from '../api/problem.ts';
import { useRead } from '../api/reading.ts';
import { useWrite } from '../api/writing.ts';
import { useFormats } from '../shared/formats.ts';
import { Loaded } from '../shared/loaded.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import classes from './plugins.module.css';

interface PluginCopiesProps {
  instanceId: string;
  /** Names of the plugins that are there; a copy of those cannot be restored. */
  installed: ReadonlySet<string>;
  onRequested: (requested: { id: string; words: string }) => void;
}

export function PluginCopies({ instanceId, installed, onRequested }: PluginCopiesProps) {
  const t = useTexts('plugins');
  const asked = useRead('/api/instances/{instance_id}/plugin-copies', {
    params: { path: { instance_id: instanceId } },
  });
  // The list of plugins says so already.
  if (hasCode(asked.error, 'not_supported', 'instance_not_running')) return null;
  return (
    <Section title={t('copies.title')} lead={t('copies.lead')}>
      <Loaded asked={asked} waitingFor={t('copies.title')}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="hint">{t('copies.none')}</p>
          ) : (
            <ul className={classes.copies}>
              {data.map((copy) => (
                <Copy
                  key={copy.id}
                  copy={copy}
                  instanceId={instanceId}
                  isInstalled={installed.has(copy.plugin)}
                  onRequested={onRequested}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}

interface CopyProps {
  copy: Schemas['PluginCopy'];
  instanceId: string;
  isInstalled: boolean;
  onRequested: PluginCopiesProps['onRequested'];
}

function Copy({ copy, instanceId, isInstalled, onRequested }: CopyProps) {
  const t = useTexts('plugins');
  const formats = useFormats();
  const mayRestore = useMay('POST /api/instances/{instance_id}/plugin-copies/{plugin_copy_id}/restore');
  const { id, plugin, size, kept_at, expires_at } = copy;
  const restore = useWrite('POST /api/instances/{instance_id}/plugin-copies/{plugin_copy_id}/restore', {
    refreshes: ['/api/commands'],
    onDone: (command) => onRequested({ id: command.id, words: t('requested.restore', { name: plugin }) }),
  });
  return (
    <li className={classes.copy}>
      <div className="grow">
        <strong>{plugin}</strong> <span className="dim">{formats.bytes(size)}</span>
        <p className="hint">
          {t('copies.kept')} <Time at={kept_at} /> · {t('copies.expires')} <Time at={expires_at} />
          {isInstalled && ` · ${t('copies.isInstalled', { name: plugin })}`}
        </p>
        <ProblemAlert error={restore.error} />
      </div>
      {mayRestore && !isInstalled && (
        <Button
          variant="default"
          size="xs"
          aria-label={t('copies.restoreWhich', { name: plugin })}
          loading={restore.isPending}
          onClick={() =>
            restore.mutate({ params: { path: { instance_id: instanceId, plugin_copy_id: id } } })
          }
        >
          {t('copies.restore')}
        </Button>
      )}
    </li>
  );
}
