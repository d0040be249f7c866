// One entry of the audit log: who changed what, from what to what.
import { Button } from '@mantine/core';
import { Dialog } from '@gantry/ui/dialog.tsx';
import { Facts } from '@gantry/ui/facts.tsx';
import { useFormats } from '../shared/formats.ts';
import { useTexts } from '../texts/texts.ts';
import type { AuditEntry, AuditSearch } from './audit-search.ts';
import { AuditObject } from './audit-object.tsx';
import { Changes } from './changes.tsx';
import classes from './audit.module.css';
import { objectName, useAuditWords, type Names } from './words.ts';

interface EntryDialogProps {
  entry: AuditEntry;
  names: Names;
  showsLicense: boolean;
  /** Shows only entries like this one. */
  onFilter: (change: Partial<AuditSearch>) => void;
  onClose: () => void;
}

export function EntryDialog({ entry, names, showsLicense, onFilter, onClose }: EntryDialogProps) {
  const t = useTexts('audit');
  const common = useTexts('common');
  const formats = useFormats();
  const words = useAuditWords();
  const { actor, operation, target_id, license_id, recorded_at, source, request_id } = entry;
  const name = words.verb(entry) ?? objectName(entry, names) ?? words.kindOf(entry);
  const filters: [text: string, change: Partial<AuditSearch>, isOffered: boolean][] = [
    [t('detail.onlyObject'), { target: target_id }, true],
    [t('detail.onlyActor'), { actor: actor.id ?? '' }, actor.id !== null],
    [t('detail.onlyOperation'), { operation: operation ?? '' }, operation !== null],
    [t('detail.onlyLicense'), { license: license_id ?? '' }, showsLicense && license_id !== null],
  ];
  return (
    <Dialog
      isOpen
      size="wide"
      title={name === null ? words.change(entry) : `${words.change(entry)}: ${name}`}
      onClose={onClose}
    >
      <div className={classes.entry}>
        <Facts
          facts={[
            [t('detail.time'), `${formats.dateTime(recorded_at)} · ${formats.utc(recorded_at)}`],
            [
              t('detail.actor'),
              actor.label === null ? words.actor(entry) : `${words.actor(entry)} (${words.kind(entry)})`,
            ],
            [t('detail.operation'), operation === null ? null : <code key="operation">{operation}</code>],
            [t('detail.what'), <AuditObject key="what" entry={entry} names={names} />],
            [t('detail.object'), <code key="object">{target_id}</code>],
            [t('detail.source'), source],
            [t('detail.request'), request_id === null ? null : <code key="request">{request_id}</code>],
            ...(showsLicense
              ? [
                  [
                    t('detail.license'),
                    license_id === null ? null : (names.get(license_id) ?? license_id),
                  ] as const,
                ]
              : []),
          ]}
        />
        <Changes entry={entry} names={names} />
        <div className={classes.chips}>
          {filters
            .filter(([, , isOffered]) => isOffered)
            .map(([text, change]) => (
              <Button key={text} size="compact-sm" variant="default" onClick={() => onFilter(change)}>
                {text}
              </Button>
            ))}
          <Button className={classes.close ?? ''} variant="default" data-autofocus onClick={onClose}>
            {common('actions.close')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
