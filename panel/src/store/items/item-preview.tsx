// The item as buyers see it, in the colours of the store.
import { useState } from 'react';
import type { Schemas } from '../../api/operations.ts';
import { useFormats } from '../../shared/formats.ts';
import { useTexts } from '../../texts/texts.ts';
import { readableOn, textOn } from '../colors.ts';
import classes from './items.module.css';
import type { ItemValues } from './item-values.ts';

interface ItemPreviewProps {
  values: ItemValues;
  price: string;
  settings: Pick<Schemas['StoreSettings'], 'theme' | 'currency'>;
}

export function ItemPreview({ values, price, settings: { theme, currency } }: ItemPreviewProps) {
  const t = useTexts('store');
  const formats = useFormats();
  const [broken, setBroken] = useState('');
  const { name, description, image_url: image } = values;
  const hasImage = /^https:\/\/[^\s"'<>\\]+$/.test(image) && image !== broken;
  return (
    <figure className={classes.buyerView}>
      <figcaption className="hint">{t('item.asBuyersSee')}</figcaption>
      <div
        className={classes.buyerCard}
        style={{ background: theme.background, color: textOn(theme.background, theme.text) }}
        aria-hidden="true"
      >
        {hasImage && <img src={image} alt="" referrerPolicy="no-referrer" onError={() => setBroken(image)} />}
        <div className={classes.buyerName}>{name.trim() === '' ? t('item.exampleName') : name}</div>
        {description.trim() !== '' && <p className={classes.buyerText}>{description}</p>}
        <div className={classes.buyerFoot}>
          <strong>{/^\d+(\.\d+)?$/.test(price) ? formats.money({ amount: price, currency }) : '–'}</strong>
          <span
            className={classes.buyerButton}
            style={{ background: theme.accent, color: readableOn(theme.accent) }}
          >
            {t('item.addToBasket')}
          </span>
        </div>
      </div>
    </figure>
  );
}
