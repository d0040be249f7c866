// The bills of resellers are recorded one by one: a failure does not affect the others.
import { ResellerBills } from '../../src/services/resellers/bill-records.ts';
import { openFleetDatabase, type FleetDatabase } from '../support/fleet-database.ts';

let fleet: FleetDatabase;

beforeAll(async () => {
  fleet = await openFleetDatabase();
});
afterAll(() => fleet.close());

it('records every other bill, and fails for the one that cannot be recorded', async () => {
  const created = async (name: string, id: string) => {
    await fleet.database.query(
      `insert into reseller (id, name, key_identifier, key_hash, created_at)
       values ($1, $2, $2, $2, now() - interval '40 days')`,
      [id, name],
    );
    return id;
  };
  await created('without a rate', '00000000-0000-7000-8000-000000000001');
  const other = await created('with one', '00000000-0000-7000-8000-000000000002');
  await fleet.database.query(
    `insert into reseller_rate (reseller_id, from_month, amount, currency, unit) values ($1, '2020-01', 600, 'USD', 'license')`,
    [other],
  );
  const error: unknown = await new ResellerBills(fleet.platform).record().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(AggregateError);
  const recorded = await fleet.database.query<{ reseller_id: string }>(
    `select distinct reseller_id from reseller_bill where reseller_id::text like '00000000-0000-7000-8000-%'`,
  );
  expect(recorded).toEqual([{ reseller_id: other }]);
});

it('records a month an hour after its end, so that late reports are included', async () => {
  const [reseller] = await fleet.database.query<{ id: string }>(
    `insert into reseller (name, key_identifier, key_hash, created_at)
     values ('early', 'early', 'early', '2020-03-10T00:00:00Z') returning id`,
  );
  await fleet.database.query(
    `insert into reseller_rate (reseller_id, from_month, amount, currency, unit) values ($1, '2020-01', 600, 'USD', 'license')`,
    [reseller?.id],
  );
  const monthsRecordedBy = async (now: string) => {
    await new ResellerBills(fleet.platform).record(new Date(now));
    const rows = await fleet.database.query<{ month: string }>(
      'select month from reseller_bill where reseller_id = $1 order by month',
      [reseller?.id],
    );
    return rows.map(({ month }) => month);
  };
  expect(await monthsRecordedBy('2020-05-01T00:59:59.999Z')).toEqual(['2020-03']);
  expect(await monthsRecordedBy('2020-05-01T01:00:00Z')).toEqual(['2020-03', '2020-04']);
});
