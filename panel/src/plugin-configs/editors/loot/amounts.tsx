// How many items and how much scrap a container holds.
import { useTexts } from '../../../texts/texts.ts';
import { valueAt, type Json, type Path } from '../../schema/data.ts';
import type { Schema } from '../../schema/schema.ts';
import { Cell } from '../parts/cell.tsx';
import parts from '../parts/parts.module.css';

interface AmountsProps {
  path: Path;
  schema: Schema;
  value: Json;
}

const fields = ['min_items', 'max_items', 'min_scrap', 'max_scrap', 'scrap'] as const;

export function Amounts({ path, schema, value }: AmountsProps) {
  const t = useTexts('plugin-configs');
  // Tables of versions before 4.0.6 have one amount of scrap instead of two.
  const shown = fields.filter((field) => {
    const isKnown = schema.properties?.[field] !== undefined;
    const isOutdated = field === 'scrap' && schema.properties?.['min_scrap'] !== undefined;
    return isKnown && (!isOutdated || valueAt(value, [field]) !== undefined);
  });
  return (
    <div className={parts.pairs}>
      {shown.map((field) => (
        <div key={field} className={parts.pair}>
          <span className={parts.pairLabel} aria-hidden="true">
            {t(`loot.amounts.${field}`)}
          </span>
          <Cell
            path={[...path, field]}
            schema={schema.properties?.[field]}
            value={valueAt(value, [field])}
            label={t(`loot.amounts.${field}`)}
          />
        </div>
      ))}
    </div>
  );
}
