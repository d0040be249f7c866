// Modules with a recurring price: what the catalogue offers, subscriptions of licenses to them, and each period that was charged.
import { Migration } from '@mikro-orm/migrations';

export class RecurringModules extends Migration {
  override up(): void {
    this.addSql(`
      alter table module
        add column billing_period text not null default 'once' check (billing_period in ('once', 'month', 'year')),
        add column yearly_price integer check (yearly_price >= 0),
        add column trial_days integer not null default 0 check (trial_days between 0 and 90),
        add constraint module_yearly_price_of_monthly check (yearly_price is null or billing_period = 'month'),
        add constraint module_trial_of_recurring check (trial_days = 0 or billing_period <> 'once')`);
    this.addSql(`
      alter table subscription
        add column module_id uuid references module,
        add column subscribed_by text,
        add column anchor_at timestamptz(3),
        add column period_number integer check (period_number >= 0),
        add column period_start timestamptz(3),
        add column period_end timestamptz(3),
        add constraint subscription_period check (period_end > period_start),
        add constraint subscription_module_has_period check (module_id is null or kind = 'module'
          and subscribed_by is not null and anchor_at is not null and period_number is not null
          and period_start is not null and period_end is not null)`);
    this.addSql(
      `create unique index subscription_one_module on subscription (license_id, module_id)
       where module_id is not null and status in ('trialing', 'active', 'past_due')`,
    );
    this.addSql('create index on subscription (module_id)');
    this.addSql(
      `create index on subscription (period_end)
       where module_id is not null and status in ('trialing', 'active', 'past_due')`,
    );

    this.addSql(`
      alter table module_purchase
        add column subscription_id uuid,
        add column period_start timestamptz(3),
        add column period_end timestamptz(3),
        drop constraint module_purchase_license_id_module_id_key,
        add constraint module_purchase_period check (period_end > period_start),
        add constraint module_purchase_period_of_subscription check (
          (subscription_id is null) = (period_start is null) and (period_start is null) = (period_end is null)),
        add foreign key (license_id, subscription_id) references subscription (license_id, id) on delete cascade`);
    this.addSql(
      `create unique index module_purchase_once on module_purchase (license_id, module_id)
       where subscription_id is null`,
    );
    this.addSql(
      `create unique index module_purchase_each_period on module_purchase (license_id, subscription_id, period_start)
       where subscription_id is not null`,
    );
    this.addSql('create index on module_purchase (license_id, id desc)');

    // Super admins list bills of all resellers by it, in the order in which they were recorded.
    this.addSql('alter table reseller_bill add column id uuid not null default uuidv7() unique');
  }
}
