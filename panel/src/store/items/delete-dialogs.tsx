// Deletes a category or an item, and says what remains.
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import type { Schemas } from '../../api/operations.ts';
import { useWrite } from '../../api/writing.ts';
import { tagOf } from '../../shared/draft.ts';
import { ProblemAlert } from '../../shared/problem-alert.tsx';
import { useTexts } from '../../texts/texts.ts';

interface DeleteCategoryProps {
  category: Schemas['StoreCategory'] | null;
  onClose: () => void;
}

export function DeleteCategoryDialog({ category, onClose }: DeleteCategoryProps) {
  const t = useTexts('store');
  const common = useTexts('common');
  const remove = useWrite('DELETE /api/webstore/categories/{category_id}', {
    refreshes: ['/api/webstore/categories', '/api/webstore/items'],
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      isOpen={category !== null}
      title={t('categories.deleteTitle', { name: category?.name ?? '' })}
      action={common('actions.delete')}
      isDangerous
      isPending={remove.isPending}
      problem={<ProblemAlert error={remove.error} />}
      onConfirm={() => {
        if (category === null) return;
        remove.mutate({
          params: {
            path: { category_id: category.id },
            header: { 'If-Match': tagOf(category.version) },
          },
        });
      }}
      onClose={onClose}
    >
      <p>{t('categories.deleteDetail', { count: category?.item_count ?? 0 })}</p>
    </ConfirmDialog>
  );
}

interface DeleteItemProps {
  item: Schemas['StoreItem'];
  isOpen: boolean;
  onClose: () => void;
  onDeleted: () => void;
}

export function DeleteItemDialog({ item, isOpen, onClose, onDeleted }: DeleteItemProps) {
  const t = useTexts('store');
  const remove = useWrite('DELETE /api/webstore/items/{item_id}', {
    refreshes: ['/api/webstore/items', '/api/webstore/categories'],
    onDone: onDeleted,
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t('item.deleteTitle', { name: item.name })}
      action={t('item.delete')}
      isDangerous
      typed={item.name}
      isPending={remove.isPending}
      problem={<ProblemAlert error={remove.error} />}
      onConfirm={() =>
        remove.mutate({
          params: { path: { item_id: item.id }, header: { 'If-Match': tagOf(item.version) } },
        })
      }
      onClose={onClose}
    >
      <p>{t('item.deleteDetail', { count: item.sold_count })}</p>
    </ConfirmDialog>
  );
}
