// One wipe: followed until its end, and everything that is known about it afterwards.
import { getRouteApi } from '@tanstack/react-router';
import { Facts } from '@gantry/ui/facts.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { useMay } from '../api/may.ts';
import { useRead } from '../api/reading.ts';
import { BackLink } from '../shared/back-link.tsx';
import { useFormats } from '../shared/formats.ts';
import { Loaded } from '../shared/loaded.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { useMapWords } from './map-words.ts';
import { WipeOutcome } from './wipe-outcome.tsx';
import { WipeProgress } from './wipe-progress.tsx';
import type { Wipe } from './wipe-status.ts';

const route = getRouteApi('/frame/licensed/servers/$instanceId/wipes/$wipeId');

/** Events announce each phase; this is for agents whose events are late. */
const everyMs = 5_000;

export function WipePage() {
  const t = useTexts('wipes');
  const { instanceId, wipeId } = route.useParams();
  const init = { params: { path: { wipe_id: wipeId } } };
  const isOver = typeof useRead('/api/wipes/{wipe_id}', init).data?.finished_at === 'string';
  const asked = useRead('/api/wipes/{wipe_id}', init, { every: isOver ? false : everyMs });
  return (
    <div className="stack">
      <BackLink to="/servers/$instanceId/wipes" params={{ instanceId }}>
        {t('back')}
      </BackLink>
      <Loaded asked={asked} waitingFor={t('progress.label')}>
        {(wipe) => (
          <>
            {wipe.finished_at === null ? <WipeProgress wipe={wipe} /> : <WipeOutcome wipe={wipe} />}
            <WipeFacts wipe={wipe} />
          </>
        )}
      </Loaded>
    </div>
  );
}

function WipeFacts({ wipe }: { wipe: Wipe }) {
  const t = useTexts('wipes');
  const formats = useFormats();
  const mapWords = useMapWords();
  const yes = (value: boolean) => (value ? t('yes') : t('no'));
  const time = (at: string | null) => (at === null ? null : <Time key={at} at={at} />);
  return (
    <Section title={t(`kinds.${wipe.kind}`)} lead={t(`takes.${wipe.kind}`)}>
      <Facts
        facts={[
          [t('columns.map'), wipe.map_id === null ? mapWords(wipe) : <MapName key="map" id={wipe.map_id} />],
          [
            t('columns.deleted'),
            wipe.file_count === null
              ? null
              : t('deleted', { count: wipe.file_count, size: formats.bytes(wipe.deleted_bytes ?? 0) }),
          ],
          [
            t('fields.countdown'),
            wipe.countdown_seconds === 0 ? t('fields.atOnce') : formats.duration(wipe.countdown_seconds),
          ],
          [t('facts.backup'), yes(wipe.backup)],
          [t('facts.start'), yes(wipe.start)],
          [t('columns.by'), wipe.requested_by ?? t('byGantry')],
          [t('columns.requested'), time(wipe.created_at)],
          [t('facts.begun'), time(wipe.begun_at)],
          [t('facts.finished'), time(wipe.finished_at)],
          ...(wipe.message === null ? [] : ([[t('fields.message'), wipe.message]] as const)),
        ]}
      />
    </Section>
  );
}

/** Maps can be deleted later, and roles may not see them. */
function MapName({ id }: { id: string }) {
  const t = useTexts('wipes');
  const mayRead = useMay('GET /api/maps/{map_id}');
  const { data } = useRead('/api/maps/{map_id}', { params: { path: { map_id: id } } }, { enabled: mayRead });
  return data?.name ?? t('newMap.uploaded');
}
