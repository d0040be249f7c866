// Where notifications are sent, with a test.
import { Button, TextInput } from '@mantine/core';
import { Section } from '@gantry/ui/section.tsx';
import { api, bodyOf } from '../api/client.ts';
import { useAction } from '../api/queries.ts';
import { faultAt } from '../shared/faults.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { MailFields } from './mail-fields.tsx';
import type { PartProps } from './part.ts';

interface NotificationsSectionProps extends PartProps {
  /** Whether the form has changes that are not saved. */
  isChanged: boolean;
}

const addresses = [
  {
    name: 'webhookUrl',
    label: 'Chat webhook (Discord format)',
    placeholder: 'https://discord.com/api/webhooks/…',
  },
  { name: 'ntfyUrl', label: 'ntfy topic', placeholder: 'https://ntfy.sh/my-sietch' },
] as const;

export function NotificationsSection(props: NotificationsSectionProps) {
  const { draft, change, error, isChanged } = props;
  const { notifications } = draft;
  const { webhookUrl, ntfyUrl, mail = null } = notifications;
  const hasReceiver = webhookUrl !== null || ntfyUrl !== null || mail !== null;
  const test = useAction(() => bodyOf(api.POST('/api/automation/test-notification')));
  return (
    <Section
      title="Notifications"
      lead="Sent for failures, watchdog restarts, public address changes and skipped schedules. Save before you send a test."
    >
      <div className="fields">
        {addresses.map(({ name, label, placeholder }) => (
          <TextInput
            key={name}
            type="url"
            label={label}
            placeholder={placeholder}
            maxLength={500}
            value={notifications[name] ?? ''}
            onChange={({ currentTarget }) =>
              change({ notifications: { ...notifications, [name]: currentTarget.value.trim() || null } })
            }
            error={faultAt(error, `/notifications/${name}`)}
          />
        ))}
      </div>
      <MailFields
        mail={notifications.mail ?? null}
        error={error}
        onChange={(mail) => change({ notifications: { ...notifications, mail } })}
      />
      <div className="actions">
        <Button
          variant="default"
          disabled={isChanged || !hasReceiver}
          loading={test.isPending}
          onClick={() => test.mutate()}
        >
          Send a test
        </Button>
      </div>
      {test.data?.data.map(({ text, at }) => (
        <p key={`${at} ${text}`} className="hint" role="status">
          {text}
        </p>
      ))}
      <ProblemAlert error={test.error} />
    </Section>
  );
}
