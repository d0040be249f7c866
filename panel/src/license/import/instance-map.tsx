// Assigns game servers of the document that this license does not have by name.
import { NativeSelect } from '@mantine/core';
import { Section } from '@gantry/ui/section.tsx';
import { useMay } from '../../api/may.ts';
import type { Schemas } from '../../api/operations.ts';
import { usePages } from '../../api/reading.ts';
import { useTexts } from '../../texts/texts.ts';
import type { NamedInstance } from './document.ts';
import classes from './import.module.css';

interface InstanceMapProps {
  instances: readonly NamedInstance[];
  map: readonly Schemas['InstanceMapping'][];
  onMap: (map: Schemas['InstanceMapping'][]) => void;
}

export function InstanceMap({ instances, map, onMap }: InstanceMapProps) {
  const t = useTexts('license');
  const mayList = useMay('GET /api/fleet/instances');
  const own = usePages('/api/fleet/instances', {}, { all: true, enabled: mayList });
  if (!own.isComplete || own.items === undefined) return null;
  const known = own.items;
  const missing = instances.filter(
    ({ host, instance }) => !known.some(({ hostname, name }) => hostname === host && name === instance),
  );
  if (missing.length === 0) return null;
  return (
    <Section title={t('import.mapTitle')} lead={t('import.mapLead')}>
      <ul className={classes.rows}>
        {missing.map((entry) => {
          const isEntry = ({ host, instance }: NamedInstance) =>
            host === entry.host && instance === entry.instance;
          const name = `${entry.instance} · ${entry.host}`;
          const chosen = map.find(isEntry)?.instance_id ?? '';
          const others = map.filter((each) => !isEntry(each));
          return (
            <li key={name} className={classes.row}>
              <span className="grow">{name}</span>
              <NativeSelect
                aria-label={t('import.mapFor', { name })}
                value={chosen}
                data={[
                  { value: '', label: t('import.mapSkip') },
                  ...known.map(({ id, name: ownName, hostname }) => ({
                    value: id,
                    label: `${ownName} · ${hostname}`,
                    disabled: others.some(({ instance_id }) => instance_id === id),
                  })),
                ]}
                onChange={(event) => {
                  const { value } = event.currentTarget;
                  onMap(value === '' ? others : [...others, { ...entry, instance_id: value }]);
                }}
              />
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
