// The modules for sale, with what each does and costs.
import { Button, Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Blocks } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import { usePages } from '../api/reading.ts';
import { EmptyState } from '../shared/empty-state.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { useTexts } from '../texts/texts.ts';
import { ModuleFace } from './module-face.tsx';
import classes from './modules.module.css';
import { PurchaseDialog } from './purchase-dialog.tsx';

type Module = Schemas['Module'];

export function CatalogPage() {
  const t = useTexts('modules');
  const modules = usePages('/api/modules', {}, { all: true });
  const [chosen, setChosen] = useState<Module | null>(null);
  return (
    <>
      <Loaded
        asked={{ ...modules, data: modules.items }}
        waitingFor={t('tabs.catalog')}
        skeleton={<Skeleton height={260} />}
      >
        {(items) =>
          items.length === 0 ? (
            <EmptyState icon={Blocks} title={t('catalog.empty.title')}>
              {t('catalog.empty.detail')}
            </EmptyState>
          ) : (
            <ul className={classes.cards}>
              {items.map((module) => (
                <ModuleCard key={module.id} module={module} onBuy={() => setChosen(module)} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <PurchaseDialog module={chosen} onClose={() => setChosen(null)} />
    </>
  );
}

function ModuleCard({ module, onBuy }: { module: Module; onBuy: () => void }) {
  const t = useTexts('modules');
  const mayBuy = useMay('POST /api/modules/purchase');
  const { name, is_owned, billing_period } = module;
  return (
    <li className={classes.card}>
      <ModuleFace module={module}>
        {is_owned ? (
          <Button
            component={Link}
            to="/modules/owned"
            variant="default"
            aria-label={t('catalog.manageNamed', { name })}
          >
            {t('catalog.manage')}
          </Button>
        ) : (
          mayBuy && (
            <Button
              onClick={onBuy}
              aria-label={t(billing_period === 'once' ? 'catalog.buyNamed' : 'catalog.subscribeNamed', {
                name,
              })}
            >
              {billing_period === 'once' ? t('catalog.buy') : t('catalog.subscribe')}
            </Button>
          )
        )}
      </ModuleFace>
    </li>
  );
}
