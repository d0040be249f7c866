// A time zone of the IANA database.
import { Select } from '@mantine/core';
import { useMemo } from 'react';
import { useTexts } from '../../texts/texts.ts';
import { timeZones } from '../zoned-times.ts';

interface ZoneSelectProps {
  value: string;
  error: string | undefined;
  onChange: (timeZone: string) => void;
}

export function ZoneSelect({ value, error, onChange }: ZoneSelectProps) {
  const t = useTexts('schedules');
  // The stored zone may have a name that the browser does not list.
  const zones = useMemo(() => [...new Set([...timeZones(), value])], [value]);
  return (
    <Select
      label={t('timing.zone')}
      description={t('timing.zoneHint')}
      searchable
      allowDeselect={false}
      nothingFoundMessage={t('timing.noZone')}
      data={zones}
      value={value}
      error={error}
      onChange={(next) => {
        if (next !== null) onChange(next);
      }}
    />
  );
}
