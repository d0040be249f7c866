// The way back from a delivery to its webhook, by its name.
import { Link } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import { useRead } from '../api/reading.ts';
import back from '../shared/back-link.module.css';
import { useTexts } from '../texts/texts.ts';

export function BackToWebhook({ webhookId }: { webhookId: string }) {
  const t = useTexts('webhooks');
  const { data: webhook } = useRead('/api/webhooks/{webhook_id}', {
    params: { path: { webhook_id: webhookId } },
  });
  return (
    <Link to="/webhooks/$webhookId" params={{ webhookId }} className={back.back}>
      <ChevronLeft size={15} aria-hidden="true" />
      {webhook?.name ?? t('back')}
    </Link>
  );
}
