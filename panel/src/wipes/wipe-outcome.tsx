// How a wipe ended, in one sentence.
import { Alert } from '@mantine/core';
import { Ban, CircleCheck, TriangleAlert, Undo2, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFormats } from '../shared/formats.ts';
import { useTexts } from '../texts/texts.ts';
import type { Wipe } from './wipe-status.ts';

const looks = {
  completed: { color: 'green', icon: CircleCheck },
  failed: { color: 'red', icon: TriangleAlert },
  rolled_back: { color: 'yellow', icon: Undo2 },
  cancelled: { color: 'gray', icon: Ban },
} satisfies Partial<Record<Wipe['status'], { color: string; icon: LucideIcon }>>;

type Ending = keyof typeof looks;

const isEnding = (status: Wipe['status']): status is Ending => status in looks;

export function WipeOutcome({ wipe, children }: { wipe: Wipe; children?: ReactNode }) {
  const t = useTexts('wipes');
  const formats = useFormats();
  const { status, error, detail, file_count, deleted_bytes, begun_at, finished_at } = wipe;
  if (!isEnding(status)) return null;
  const { color, icon: Icon } = looks[status];
  const tookMs =
    begun_at !== null && finished_at !== null ? Date.parse(finished_at) - Date.parse(begun_at) : 0;
  const facts = {
    count: file_count ?? 0,
    size: formats.bytes(deleted_bytes ?? 0),
    time: formats.duration(tookMs / 1_000),
  };
  return (
    <Alert color={color} icon={<Icon size={18} />} title={t(`outcome.${status}`)} role="status">
      <p className="sentence">
        {status === 'completed' && t('outcome.completedDetail', facts)}
        {status === 'rolled_back' && t('outcome.rolledBackDetail')}
        {status === 'failed' && t('outcome.failedDetail')}
        {status === 'cancelled' && t('outcome.cancelledDetail')}
      </p>
      {error !== null && <p className="sentence">{error.detail}</p>}
      {status === 'failed' && detail !== null && detail !== error?.detail && (
        <p className="sentence">{detail}</p>
      )}
      {children}
    </Alert>
  );
}
