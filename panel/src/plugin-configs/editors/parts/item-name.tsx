// An item with the picture of its category, its name in the game, and its short name.
import {
  Apple,
  Box,
  Cog,
  Cross,
  Gem,
  Hammer,
  Lamp,
  PartyPopper,
  Puzzle,
  Shirt,
  Swords,
  TriangleAlert,
  Wrench,
  Zap,
  Crosshair,
  type LucideIcon,
} from 'lucide-react';
import { useTexts } from '../../../texts/texts.ts';
import classes from './parts.module.css';
import { plainName, type Item } from './use-items.ts';

const icons: Readonly<Record<string, LucideIcon>> = {
  Ammunition: Crosshair,
  Attire: Shirt,
  Component: Cog,
  Construction: Hammer,
  Electrical: Zap,
  Food: Apple,
  Fun: PartyPopper,
  Items: Lamp,
  Medical: Cross,
  Misc: Puzzle,
  Resources: Gem,
  Tool: Wrench,
  Traps: TriangleAlert,
  Weapon: Swords,
};

interface ItemNameProps {
  shortname: string;
  items: ReadonlyMap<string, Item>;
}

export function ItemName({ shortname, items }: ItemNameProps) {
  const t = useTexts('plugin-configs');
  const item = items.get(plainName(shortname));
  const Icon = icons[item?.category ?? ''] ?? Box;
  const isBlueprint = /\.(?:blueprint|bp)\b/.test(shortname);
  return (
    <span className={classes.item}>
      <Icon size={16} aria-hidden="true" className={classes.itemIcon} />
      <span className={classes.itemNames}>
        <span>
          {item?.name ?? shortname}
          {isBlueprint && <span className="dim"> {t('parts.blueprint')}</span>}
        </span>
        {item !== undefined && <span className={classes.shortname}>{shortname}</span>}
      </span>
    </span>
  );
}

export const nameOfItem = (shortname: string, items: ReadonlyMap<string, Item>): string =>
  items.get(plainName(shortname))?.name ?? shortname;
