// What applying would change on one server: the differences of its files, and what stays unwritten.
import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { Section } from '@gantry/ui/section.tsx';
import type { Schemas } from '../../api/operations.ts';
import { write } from '../../api/writing.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { useTexts } from '../../texts/texts.ts';
import classes from './apply.module.css';
import { DiffLines } from './diff-lines.tsx';

interface ComparisonProps {
  config: Schemas['PluginConfig'];
  server: Schemas['GameInstance'];
}

export function Comparison({ config, server }: ComparisonProps) {
  const t = useTexts('plugin-configs');
  const { kind, id, version } = config;
  const preview = useQuery({
    queryKey: ['plugin-config-preview', id, version, server.id],
    queryFn: () =>
      write('POST /api/plugin-configs/{kind}/{plugin_config_id}/preview', {
        params: { path: { kind, plugin_config_id: id } },
        body: { instance_id: server.id },
      }),
    // Files of servers change without an event.
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
  return (
    <Section title={t('compare.title', { name: server.name })}>
      <Loaded asked={preview} waitingFor={t('compare.waiting')}>
        {({ files, warnings, not_written }) => (
          <div className="stack">
            <Remarks tone="yellow" title={t('compare.warnings')} remarks={warnings} />
            <Remarks tone="gray" title={t('compare.notWritten')} remarks={not_written} />
            <Files files={files} />
          </div>
        )}
      </Loaded>
    </Section>
  );
}

interface RemarksProps {
  tone: string;
  title: string;
  remarks: readonly Schemas['PluginConfigFinding'][];
}

function Remarks({ tone, title, remarks }: RemarksProps) {
  if (remarks.length === 0) return null;
  return (
    <Alert color={tone} title={title}>
      <ul className={classes.plainList}>
        {remarks.map(({ place, detail }) => (
          <li key={`${place} ${detail}`}>
            {place !== '' && <strong>{place}</strong>} {detail}
          </li>
        ))}
      </ul>
    </Alert>
  );
}

function Files({ files }: { files: readonly Schemas['PluginFilePreview'][] }) {
  const t = useTexts('plugin-configs');
  const changed = files.filter(({ is_changed }) => is_changed);
  if (changed.length === 0)
    return (
      <Alert color="green" role="status" icon={<CircleCheck size={18} aria-hidden="true" />}>
        {t('compare.same')}
      </Alert>
    );
  return (
    <>
      {changed.map(({ file, path, diff }) => (
        <div key={file}>
          <p className={classes.filePath}>
            <code>{path ?? file}</code>
            {path === null && <span className="dim"> {t('compare.newFile')}</span>}
          </p>
          <DiffLines diff={diff} label={t('compare.diffOf', { file: path ?? file })} />
        </div>
      ))}
      {changed.length < files.length && (
        <p className="hint">{t('compare.unchanged', { count: files.length - changed.length })}</p>
      )}
    </>
  );
}
