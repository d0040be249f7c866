// What the host knows of a file right now.
import { CopyText } from '@gantry/ui/copy-text.tsx';
import { Facts } from '@gantry/ui/facts.tsx';
import { useRead } from '../../api/reading.ts';
import { useFormats } from '../../shared/formats.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { useTexts } from '../../texts/texts.ts';
import { usePlace, type InstanceFile } from '../folder.ts';

export function Properties({ file }: { file: InstanceFile }) {
  const t = useTexts('files');
  const formats = useFormats();
  const { instanceId } = usePlace();
  const asked = useRead('/api/instances/{instance_id}/files/stat', {
    params: { path: { instance_id: instanceId }, query: { path: file.path } },
  });
  return (
    <div className="dialogForm">
      <Loaded asked={asked} waitingFor={t('actions.properties')}>
        {({ path, kind, size, modified_at }) => (
          <div className="stack">
            <Facts
              facts={[
                [t('properties.path'), path],
                [t('properties.kind'), t(`kinds.${kind}`)],
                [
                  t('columns.size'),
                  size === null
                    ? null
                    : size < 1024
                      ? formats.bytes(size)
                      : t('properties.size', { size: formats.bytes(size), bytes: formats.number(size) }),
                ],
                [t('columns.modified'), formats.dateTime(modified_at)],
              ]}
            />
            <div>
              <CopyText text={path}>{t('properties.copy')}</CopyText>
            </div>
          </div>
        )}
      </Loaded>
    </div>
  );
}
