// The items of a kit in the containers of the game's inventory: what players wear, their belt, and the rest.
import { Button } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTexts } from '../../../texts/texts.ts';
import { useEditing, useFindingCount } from '../editing.ts';
import { Group } from '../generic/field.tsx';
import { isList, valueAt, type Json, type Path } from '../../schema/data.ts';
import type { Schema } from '../../schema/schema.ts';
import { nameOfItem } from '../parts/item-name.tsx';
import { ItemPicker } from '../parts/item-picker.tsx';
import parts from '../parts/parts.module.css';
import { useItems, type Item } from '../parts/use-items.ts';
import classes from './kits.module.css';

/** Slots of the game for each container. */
const containers = [
  { name: 'wear', slots: 8 },
  { name: 'belt', slots: 6 },
  { name: 'main', slots: 24 },
] as const;

type ContainerName = (typeof containers)[number]['name'];

interface Placed {
  index: number;
  item: Json;
  shortname: string;
  container: ContainerName;
  position: number;
}

interface Slot {
  container: ContainerName;
  position: number;
}

interface InventoryProps {
  path: Path;
  kit: Json;
  schema: Schema;
}

export function Inventory({ path, kit, schema }: InventoryProps) {
  const t = useTexts('plugin-configs');
  const { set, isReadOnly } = useEditing();
  const items = useItems();
  const placed = placedItems(valueAt(kit, ['items']));
  const [chosen, setChosen] = useState<Slot | null>(null);
  const current = placed.find(
    ({ container, position }) => container === chosen?.container && position === chosen.position,
  );
  return (
    <div className={classes.inventory}>
      {containers.map(({ name, slots }) => {
        const own = placed.filter(({ container }) => container === name);
        // Mods have larger containers than the game.
        const count = Math.max(slots, ...own.map(({ position }) => position + 1));
        return (
          <div key={name}>
            <h3 className={parts.subtitle}>{t(`kits.containers.${name}`)}</h3>
            <div className={classes.slots} role="group" aria-label={t(`kits.containers.${name}`)}>
              {Array.from({ length: count }, (_, position) => (
                <SlotButton
                  key={position}
                  path={path}
                  number={position + 1}
                  placed={own.find((each) => each.position === position)}
                  items={items}
                  isChosen={chosen?.container === name && chosen.position === position}
                  onChoose={() => setChosen({ container: name, position })}
                />
              ))}
            </div>
          </div>
        );
      })}
      <Unplaced placed={placed} items={items} onChoose={setChosen} />
      {chosen !== null && current === undefined && !isReadOnly && (
        <div className={classes.detail} ref={show} key={`${chosen.container} ${chosen.position}`}>
          <h3 className={parts.subtitle}>
            {t('kits.emptySlot', {
              container: t(`kits.containers.${chosen.container}`),
              number: chosen.position + 1,
            })}
          </h3>
          <ItemPicker
            items={items}
            label={t('parts.addItem')}
            onPick={(shortname) => set([...path, listLength(kit)], { shortname, amount: 1, ...chosen })}
          />
        </div>
      )}
      {current !== undefined && (
        <div className={classes.detail} ref={show} key={`${chosen?.container} ${chosen?.position}`}>
          <div className={parts.headRow}>
            <h3 className={parts.subtitle}>{nameOfItem(current.shortname, items)}</h3>
            {!isReadOnly && (
              <Button
                variant="default"
                size="compact-sm"
                leftSection={<Trash2 size={14} aria-hidden="true" />}
                onClick={() => set([...path, current.index], undefined)}
              >
                {t('kits.removeItem')}
              </Button>
            )}
          </div>
          <Group
            key={current.index}
            path={[...path, current.index]}
            schema={schema}
            value={current.item}
            filter={{ generation: null, search: '', isSetOnly: false }}
          />
        </div>
      )}
    </div>
  );
}

/** It lies below the slots, which fill a window. */
const show = (detail: HTMLDivElement | null): void => detail?.scrollIntoView({ block: 'nearest' });

interface SlotButtonProps {
  path: Path;
  number: number;
  placed: Placed | undefined;
  items: ReadonlyMap<string, Item>;
  isChosen: boolean;
  onChoose: () => void;
}

function SlotButton({ path, number, placed, items, isChosen, onChoose }: SlotButtonProps) {
  const t = useTexts('plugin-configs');
  const remarks = useFindingCount(placed === undefined ? ['-'] : [...path, placed.index]);
  const amount = placed === undefined ? undefined : valueAt(placed.item, ['amount']);
  const name = placed === undefined ? t('kits.empty') : nameOfItem(placed.shortname, items);
  return (
    <button
      type="button"
      className={classes.slot}
      aria-pressed={isChosen}
      title={name}
      data-empty={placed === undefined || undefined}
      data-remarks={remarks > 0 || undefined}
      onClick={onChoose}
    >
      <span className="visuallyHidden">{t('kits.slot', { number })}</span>
      {placed === undefined ? (
        <span className="visuallyHidden">{name}</span>
      ) : (
        <>
          <span className={classes.slotName}>{name}</span>
          {typeof amount === 'number' && <span className={classes.amount}>×{amount}</span>}
        </>
      )}
    </button>
  );
}

interface UnplacedProps {
  placed: readonly Placed[];
  items: ReadonlyMap<string, Item>;
  onChoose: (slot: Slot) => void;
}

/** The game puts items without a slot into the first free one. */
function Unplaced({ placed, items, onChoose }: UnplacedProps) {
  const t = useTexts('plugin-configs');
  const unplaced = placed.filter(({ position }) => position < 0);
  if (unplaced.length === 0) return null;
  return (
    <div>
      <h3 className={parts.subtitle}>{t('kits.unplaced')}</h3>
      <div className={classes.slots}>
        {unplaced.map(({ index, shortname, container, position }) => (
          <button
            key={index}
            type="button"
            className={classes.slot}
            onClick={() => onChoose({ container, position })}
          >
            <span className={classes.slotName}>{nameOfItem(shortname, items)}</span>
          </button>
        ))}
      </div>
    </div>
  );
}

const listLength = (kit: Json): number => {
  const items = valueAt(kit, ['items']);
  return isList(items) ? items.length : 0;
};

/** Items without a position are in the first free slot of their container; two in one slot stand side by side. */
function placedItems(value: Json | undefined): Placed[] {
  const taken = new Set<string>();
  return (isList(value) ? value : []).map((item, index) => {
    const container = containers.find(({ name }) => name === valueAt(item, ['container']))?.name ?? 'main';
    const given = valueAt(item, ['position']);
    let position = typeof given === 'number' ? given : 0;
    while (position >= 0 && taken.has(`${container} ${position}`)) position += 1;
    taken.add(`${container} ${position}`);
    return { index, item, shortname: shortnameOf(item), container, position };
  });
}

function shortnameOf(item: Json): string {
  const shortname = valueAt(item, ['shortname']);
  return typeof shortname === 'string' ? shortname : '';
}
