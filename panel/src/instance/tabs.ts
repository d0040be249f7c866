// The tabs of a server; each is offered to those who may read what it shows.
import type { LinkProps } from '@tanstack/react-router';
import type { Operation } from '../api/operations.ts';
import type instance from '../texts/en/instance.json';

export interface Tab {
  to: NonNullable<LinkProps['to']>;
  name: Exclude<keyof (typeof instance)['tabs'], 'label'>;
  needs: Operation;
}

export const tabs: readonly Tab[] = [
  { to: '/servers/$instanceId', name: 'overview', needs: 'GET /api/fleet/instances/{instance_id}' },
  {
    to: '/servers/$instanceId/console',
    name: 'console',
    needs: 'POST /api/instances/{instance_id}/console-tickets',
  },
  {
    to: '/servers/$instanceId/players',
    name: 'players',
    needs: 'GET /api/instances/{instance_id}/players',
  },
  {
    to: '/servers/$instanceId/plugins',
    name: 'plugins',
    needs: 'GET /api/instances/{instance_id}/plugins',
  },
  { to: '/servers/$instanceId/files', name: 'files', needs: 'GET /api/instances/{instance_id}/files' },
  { to: '/servers/$instanceId/wipes', name: 'wipes', needs: 'GET /api/wipes' },
  {
    to: '/servers/$instanceId/backups',
    name: 'backups',
    needs: 'GET /api/instances/{instance_id}/backups',
  },
  { to: '/servers/$instanceId/schedules', name: 'schedules', needs: 'GET /api/schedules' },
  {
    to: '/servers/$instanceId/maps',
    name: 'maps',
    needs: 'GET /api/instances/{instance_id}/map-deployments',
  },
  {
    to: '/servers/$instanceId/stats',
    name: 'stats',
    needs: 'GET /api/fleet/instances/{instance_id}/stats',
  },
  {
    to: '/servers/$instanceId/settings',
    name: 'settings',
    needs: 'GET /api/fleet/instances/{instance_id}/definition',
  },
];
