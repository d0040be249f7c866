// Composes the message of a notification.
import type { Metadata } from '../alerts/conditions.ts';
import type { AlertKind } from '../alerts/rules.ts';
import { headlineOf, messageOf } from '../alerts/wording.ts';
import { forMarkdown, forPlainText } from '../../text/neutral-text.ts';
import type { ChannelKind } from './index.ts';
import { fill, type TemplateValues } from './templates.ts';

export interface AlertDetails {
  id: string;
  kind: AlertKind;
  severity: Severity;
  subjectName: string;
  hostName: string;
  metadata: Metadata;
  raisedAt: string;
  endedAt: string | null;
}

export type Severity = 'Info' | 'Warning' | 'Critical';

export type NotificationSubject =
  { event: 'raised' | 'recovered'; alert: AlertDetails } | { event: 'test'; channelName: string; at: string };

export interface Message {
  title: string;
  text: string;
  event: NotificationSubject['event'];
  severity: Severity;
  at: string;
}

const defaultTemplates: Readonly<Record<NotificationSubject['event'], string>> = {
  raised: '{{message}}\n{{subject}} on {{host}}, {{license}}, since {{raised_at}}.',
  recovered: 'Recovered at {{ended_at}}.\n{{subject}} on {{host}}, {{license}}, since {{raised_at}}.',
  test: '{{message}}',
};

/** Composes the message for a channel's kind; names are escaped for that kind. */
export function messageFor(
  channel: { kind: ChannelKind; template: string | null },
  notice: NotificationSubject,
  license: string,
): Message {
  const harmless = channel.kind === 'chat_webhook' ? forMarkdown : forPlainText;
  const values = valuesOf(notice, license, harmless);
  return {
    title: values.title,
    text: fill(channel.template ?? defaultTemplates[notice.event], values),
    event: notice.event,
    severity: notice.event === 'test' ? 'Info' : notice.alert.severity,
    at: notice.event === 'test' ? notice.at : (notice.alert.endedAt ?? notice.alert.raisedAt),
  };
}

function valuesOf(
  notice: NotificationSubject,
  license: string,
  harmless: (text: string) => string,
): TemplateValues {
  if (notice.event === 'test')
    return {
      title: `Test of ${harmless(notice.channelName)}`,
      message: 'This is a test. Alerts will be sent here.',
      status: 'test',
      severity: 'Info',
      kind: 'test',
      subject: 'nothing',
      host: 'nothing',
      license: harmless(license),
      raised_at: notice.at,
      ended_at: '',
      alert_id: '',
    };
  const { alert, event } = notice;
  const subject = harmless(alert.subjectName);
  const headline = headlineOf(alert.kind, subject);
  return {
    title: event === 'raised' ? `${alert.severity}: ${headline}` : `Recovered: ${headline}`,
    message: messageOf(alert.kind, alert.metadata),
    status: event,
    severity: alert.severity,
    kind: alert.kind,
    subject,
    host: harmless(alert.hostName),
    license: harmless(license),
    raised_at: alert.raisedAt,
    ended_at: event === 'recovered' ? (alert.endedAt ?? '') : '',
    alert_id: alert.id,
  };
}

/** Shortens the text to at most `max` characters without splitting one. */
export function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  let kept = '';
  for (const character of text) {
    if (kept.length + character.length >= max) break;
    kept += character;
  }
  return `${kept}…`;
}
