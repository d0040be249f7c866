// What the file of a map says about its world, and where players download it.
import { CopyField } from '@gantry/ui/copy-field.tsx';
import { Dialog } from '@gantry/ui/dialog.tsx';
import { Facts } from '@gantry/ui/facts.tsx';
import { useRead } from '../api/reading.ts';
import { useFormats } from '../shared/formats.ts';
import { Loaded } from '../shared/loaded.tsx';
import { useTexts } from '../texts/texts.ts';
import type { GameMap } from './maps.ts';

interface MapDetailsProps {
  /** Empty while no details are shown. */
  mapId: string;
  onClose: () => void;
}

export function MapDetails({ mapId, onClose }: MapDetailsProps) {
  const t = useTexts('maps');
  const asked = useRead(
    '/api/maps/{map_id}',
    { params: { path: { map_id: mapId } } },
    { enabled: mapId !== '' },
  );
  return (
    <Dialog
      isOpen={mapId !== ''}
      title={asked.data?.name ?? t('details.title')}
      size="wide"
      onClose={onClose}
    >
      <div className="dialogForm">
        <Loaded asked={asked} waitingFor={t('details.title')}>
          {(map) => <Known map={map} />}
        </Loaded>
      </div>
    </Dialog>
  );
}

function Known({ map }: { map: GameMap }) {
  const t = useTexts('maps');
  const formats = useFormats();
  const edge = formats.number(map.world_size);
  const area = formats.number((map.world_size / 1000) ** 2, { maximumFractionDigits: 1 });
  return (
    <div className="stack">
      <Facts
        facts={[
          [t('details.world'), t('details.edges', { edge, area })],
          [t('details.format'), String(map.format_version)],
          [t('columns.size'), formats.bytes(map.bytes)],
          [t('columns.uploader'), map.uploaded_by],
          [t('columns.created'), formats.dateTime(map.created_at)],
          [t('details.scan'), t(`scan.${map.scan_status}`)],
          [t('details.sha256'), <code key="sha256">{map.sha256}</code>],
        ]}
      />
      <p className="hint">{map.scan_detail}</p>
      {map.public_url === null ? (
        <p className="hint">{t('details.private')}</p>
      ) : (
        <CopyField value={map.public_url} label={t('details.address')} action={t('details.copy')} />
      )}
    </div>
  );
}
