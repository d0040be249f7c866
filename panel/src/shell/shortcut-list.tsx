// The list of keyboard shortcuts.
import { Kbd } from '@mantine/core';
import { Dialog } from '@gantry/ui/dialog.tsx';
import { useMe } from '../api/me.ts';
import { useTexts } from '../texts/texts.ts';
import { pagesFor } from './navigation.ts';
import classes from './shortcut-list.module.css';

export default function ShortcutList({ onClose }: { onClose: () => void }) {
  const t = useTexts('shell');
  const me = useMe();
  const pages = pagesFor(me)
    .flatMap((group) => group.pages)
    .flatMap(({ key, name }) => (key === undefined ? [] : [{ keys: ['g', key], text: t(`pages.${name}`) }]));
  const shortcuts = [
    { keys: ['Ctrl', 'K'], text: t('shortcuts.palette') },
    { keys: ['/'], text: t('shortcuts.search') },
    ...pages,
    { keys: ['?'], text: t('shortcuts.list') },
  ];
  return (
    <Dialog isOpen title={t('shortcuts.title')} onClose={onClose}>
      <dl className={classes.list}>
        {shortcuts.map(({ keys, text }) => (
          <div key={text} className={classes.row}>
            <dt>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
