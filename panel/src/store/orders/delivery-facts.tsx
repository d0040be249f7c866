// What happened to a delivery so far, in one line.
import type { Schemas } from '../../api/operations.ts';
import { Time } from '../../shared/time.tsx';
import { useTexts } from '../../texts/texts.ts';

export function DeliveryFacts({ delivery }: { delivery: Schemas['StoreDelivery'] }) {
  const t = useTexts('store');
  const { attempt_count, next_attempt_at, finished_at, expires_at, requested_by, wipe_id } = delivery;
  return (
    <p className="hint">
      {t('delivery.attempts', { count: attempt_count })}
      {next_attempt_at !== null && (
        <>
          {' · '}
          {t('delivery.next')} <Time at={next_attempt_at} />
        </>
      )}
      {finished_at === null ? (
        <>
          {' · '}
          {t('delivery.expires')} <Time at={expires_at} />
        </>
      ) : (
        <>
          {' · '}
          <Time at={finished_at} />
        </>
      )}
      {requested_by !== null && ` · ${t('delivery.resentBy', { who: requested_by })}`}
      {wipe_id !== null && ` · ${t('delivery.afterWipe')}`}
    </p>
  );
}
