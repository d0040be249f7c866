// The uploads and downloads of this tab, in a corner of every page until they have ended and are put away.
import { ActionIcon, Button, CloseButton, Progress } from '@mantine/core';
import { Check, ChevronDown, ChevronUp, Download, TriangleAlert, Upload, X } from 'lucide-react';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useMe } from '../../api/me.ts';
import { reasonOf } from '../../api/problem.ts';
import { useTexts } from '../../texts/texts.ts';
import { useFormats } from '../formats.ts';
import classes from './transfer-dock.module.css';
import {
  activeTransfers,
  cancelTransfer,
  clearTransfers,
  dismissTransfer,
  keepWhenLeft,
  repeatTransfer,
  showInterrupted,
  useTransfers,
  type Transfer,
} from './transfers.ts';

export function TransferDock() {
  const transfers = useTransfers();
  const active = activeTransfers(transfers);
  useClosingGuard(active.length > 0);
  const license = useMe().license_id;
  // Each license has its own.
  useEffect(showInterrupted, [license]);
  useEffect(keepWhenLeft, []);
  return transfers.length === 0 ? null : <Dock transfers={transfers} activeCount={active.length} />;
}

/** A closed tab would cut what is under way. */
function useClosingGuard(isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isActive]);
}

function Dock({ transfers, activeCount }: { transfers: readonly Transfer[]; activeCount: number }) {
  const t = useTexts('common');
  const [isOpen, setIsOpen] = useState(true);
  const failed = transfers.filter(({ state }) => state === 'failed').length;
  const interrupted = transfers.filter(({ state }) => state === 'interrupted').length;
  const words =
    activeCount > 0
      ? t('transfers.active', { count: activeCount })
      : failed > 0
        ? t('transfers.failed', { count: failed })
        : interrupted > 0
          ? t('transfers.interrupted', { count: interrupted })
          : t('transfers.done', { count: transfers.length });
  return (
    <>
      <div className={classes.room} />
      <section className={classes.dock} aria-label={t('transfers.label')}>
        <div className={classes.head}>
          <span role="status" className={classes.summary}>
            {words}
          </span>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-expanded={isOpen}
            aria-label={isOpen ? t('transfers.fold') : t('transfers.unfold')}
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? <ChevronDown size={16} /> : <ChevronUp size={16} />}
          </ActionIcon>
          {activeCount === 0 && <CloseButton aria-label={t('transfers.clear')} onClick={clearTransfers} />}
        </div>
        {isOpen && (
          <ul className={classes.list} tabIndex={0} aria-label={t('transfers.label')}>
            {transfers.toReversed().map((transfer) => (
              <TransferItem key={transfer.id} transfer={transfer} />
            ))}
          </ul>
        )}
      </section>
    </>
  );
}

function TransferItem({ transfer }: { transfer: Transfer }) {
  const t = useTexts('common');
  const { id, name, place, bytes, totalBytes, state, isTaken, direction } = transfer;
  const isActive = state === 'waiting' || state === 'running';
  const Icon = direction === 'upload' ? Upload : Download;
  return (
    <li className={classes.item} data-state={state}>
      <span className={classes.icon} aria-hidden="true">
        {state === 'done' ? (
          <Check size={16} />
        ) : state === 'failed' || state === 'interrupted' ? (
          <TriangleAlert size={16} />
        ) : (
          <Icon size={16} />
        )}
      </span>
      <div className={classes.text}>
        <div className={classes.name} title={`${place} · ${name}`}>
          {name}
        </div>
        <div className={classes.detail}>
          <Detail transfer={transfer} />
        </div>
        {state === 'running' && totalBytes !== null && totalBytes > 0 && (
          <Progress
            size="xs"
            mt={5}
            value={(bytes / totalBytes) * 100}
            aria-label={t('transfers.progress', { name })}
          />
        )}
        {(state === 'failed' || state === 'cancelled') && (
          <Button
            className={classes.again ?? ''}
            size="compact-xs"
            variant="default"
            onClick={() => repeatTransfer(id, isTaken)}
          >
            {isTaken ? t('transfers.replace') : t('actions.tryAgain')}
          </Button>
        )}
        {state === 'interrupted' && <Again transfer={transfer} />}
      </div>
      {state === 'interrupted' && (
        <CloseButton
          size="sm"
          aria-label={t('transfers.dismiss', { name })}
          onClick={() => dismissTransfer(id)}
        />
      )}
      {isActive && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('transfers.cancel', { name })}
          onClick={() => cancelTransfer(id)}
        >
          <X size={16} />
        </ActionIcon>
      )}
    </li>
  );
}

/** The browser keeps no file over a reload, so it is chosen again where it was chosen before. */
function Again({ transfer: { id, direction, startedAt } }: { transfer: Transfer }) {
  const t = useTexts('common');
  const { history } = useRouter();
  return (
    <Button
      className={classes.again ?? ''}
      size="compact-xs"
      variant="default"
      onClick={() => {
        dismissTransfer(id);
        history.push(startedAt);
      }}
    >
      {t(direction === 'upload' ? 'transfers.chooseAgain' : 'transfers.startAgain')}
    </Button>
  );
}

function Interrupted({ transfer: { bytes, totalBytes, direction } }: { transfer: Transfer }) {
  const t = useTexts('common');
  const formats = useFormats();
  if (totalBytes === null || totalBytes === 0)
    return <>{t('transfers.interruptedAt', { at: formats.bytes(bytes) })}</>;
  // What was sent completely may have arrived, although its response was not awaited.
  if (direction === 'upload' && bytes >= totalBytes) return <>{t('transfers.interruptedAtEnd')}</>;
  return <>{t('transfers.interruptedAt', { at: formats.percent((bytes / totalBytes) * 100) })}</>;
}

function Detail({ transfer }: { transfer: Transfer }) {
  const { bytes, totalBytes, state, error, place } = transfer;
  const t = useTexts('common');
  const formats = useFormats();
  if (state === 'failed' && error !== null) return <>{reasonOf(error)}</>;
  if (state === 'interrupted') return <Interrupted transfer={transfer} />;
  if (state === 'waiting') return <>{t('transfers.waiting')}</>;
  if (state === 'cancelled') return <>{t('transfers.cancelled')}</>;
  const size = totalBytes === null ? formats.bytes(bytes) : formats.bytes(totalBytes);
  if (state === 'done') return <>{`${size} · ${place}`}</>;
  if (totalBytes === null) return <>{size}</>;
  return <>{t('transfers.of', { sent: formats.bytes(bytes), total: size })}</>;
}
