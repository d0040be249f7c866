// Notifies a team member of a problem with a host or a game server.
import type { Template } from './template.ts';

export const alert = {
  values: ['title', 'text', 'channel'],
  asIs: ['title', 'text'],
  subject: '{{title}}',
  paragraphs: ['{{text}}', 'You get this through the channel {{channel}}.'],
} as const satisfies Template;
