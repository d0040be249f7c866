// The head of the store as buyers see it, in the colours that are being chosen.
import type { Schemas } from '../../api/operations.ts';
import { useFormats } from '../../shared/formats.ts';
import { useTexts } from '../../texts/texts.ts';
import { isColor, readableOn, textOn } from '../colors.ts';
import { decimalsOf } from '../currency.ts';
import classes from './settings.module.css';

interface StorefrontProps {
  name: string;
  theme: Schemas['StoreTheme'];
  currency: string;
}

export function Storefront({ name, theme: { accent, background, text }, currency }: StorefrontProps) {
  const t = useTexts('store');
  const formats = useFormats();
  // A colour that is being typed is not one yet.
  if (![accent, background, text].every(isColor)) return null;
  const amount = decimalsOf(currency) === 0 ? '999' : '9.99';
  return (
    <figure className={classes.preview}>
      <figcaption className="hint">{t('item.asBuyersSee')}</figcaption>
      <div
        className={classes.storefront}
        style={{ background, color: textOn(background, text) }}
        aria-hidden="true"
      >
        <div className={classes.storefrontName}>{name}</div>
        <div className={classes.storefrontItem}>
          <span>
            {t('item.exampleName')} · {formats.money({ amount, currency })}
          </span>
          <span className={classes.button} style={{ background: accent, color: readableOn(accent) }}>
            {t('item.addToBasket')}
          </span>
        </div>
      </div>
    </figure>
  );
}
