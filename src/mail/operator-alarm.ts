// Notifies a super admin that background work of the platform needs attention.
import type { Template } from './template.ts';

export const operatorAlarm = {
  values: ['subject', 'detail'],
  subject: 'Gantry needs attention: {{subject}}',
  paragraphs: [
    '{{detail}}',
    'See GET /api/admin/health for the state of all queues, and the log of the replicas with the role "jobs" for the cause. The next message comes when the figure has doubled, or when the alarm is raised again after it has ended.',
  ],
} as const satisfies Template;
