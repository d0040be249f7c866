// Events of maps, backups and their policies, store categories, public listings and requested applications.
import { Migration } from '@mikro-orm/migrations';
import { changed, differs, instanceName, recordEvents } from './helpers/events.ts';

export class FurtherEvents extends Migration {
  override up(): void {
    this.#recordMaps();
    this.#recordBackups();
    this.#recordStore();
    this.#recordInstances();
  }

  #recordMaps(): void {
    recordEvents(this, 'map', [
      {
        on: 'update',
        type: 'map.updated',
        when: differs('version'),
        data: {
          name: 'new.name',
          is_public: 'new.public_secret is not null',
          changed: `to_jsonb(array_remove(array[
            case when old.name is distinct from new.name then 'name' end,
            case when (old.public_secret is null) <> (new.public_secret is null) then 'is_public' end], null))`,
        },
      },
    ]);
  }

  #recordBackups(): void {
    recordEvents(this, 'instance_backup', [
      {
        on: 'update',
        type: 'backup.updated',
        when: differs('note', 'is_pinned'),
        instance: 'new.instance_id',
        data: {
          instance_name: instanceName('new.instance_id'),
          is_pinned: 'new.is_pinned',
          changed: changed('note', 'is_pinned'),
        },
      },
    ]);
    const policy = {
      type: 'backup.policy_changed',
      subjectType: 'instance',
      subject: 'new.instance_id',
      instance: 'new.instance_id',
      data: { instance_name: instanceName('new.instance_id'), keep: 'new.keep' },
    };
    recordEvents(this, 'backup_policy', [
      { on: 'insert', ...policy },
      { on: 'update', when: differs('keep'), ...policy },
    ]);
  }

  #recordStore(): void {
    const category = (row: 'new' | 'old') => ({
      subjectType: 'store_category',
      data: { name: `${row}.name` },
    });
    recordEvents(this, 'store_category', [
      { on: 'insert', type: 'store.category_created', ...category('new') },
      { on: 'update', type: 'store.category_updated', when: differs('version'), ...category('new') },
      { on: 'delete', type: 'store.category_deleted', ...category('old') },
    ]);
  }

  #recordInstances(): void {
    const listing = {
      type: 'site.listing_updated',
      subjectType: 'instance',
      subject: 'new.instance_id',
      instance: 'new.instance_id',
      data: { instance_name: instanceName('new.instance_id'), version: 'new.version' },
    };
    recordEvents(this, 'site_listing', [
      { on: 'insert', ...listing },
      { on: 'update', when: differs('version'), ...listing },
    ]);
    recordEvents(this, 'plugin_application', [
      {
        on: 'insert',
        type: 'config.application_created',
        subjectType: 'plugin_application',
        instance: 'new.instance_id',
        data: {
          config_id: 'new.plugin_config_id',
          kind: 'new.kind',
          instance_name: instanceName('new.instance_id'),
          requested_by: 'new.requested_by',
        },
      },
    ]);
  }
}
