// How analytics scale with ten times the history, and retention compared with a direct query over the same
// sessions.
import pg from 'pg';
import { startChild, type Child } from './support/child.ts';
import { openEnvironment } from './support/environment.ts';
import { median, refuseMissed } from './support/figures.ts';
import { copySessions, countHistory, preparePartitions, storeHistory } from './support/history.ts';

/** Sessions of the longest history; `node bench/analytics.ts 1000000` is quicker. */
const max = Number(process.argv[2] ?? 10_000_000);
/** Histories of 11 days, of 110 and of three years, with as many sessions a day. */
const daysOf = { short: 11, middle: 110, long: 1_100 };
const sessionsADay = Math.round(max / daysOf.long);
const rounds = 41;

type Length = keyof typeof daysOf;

/** Uses that no session of this history exceeds twelve hours, which reduces the rows it reads. */
const byHand = `
  with wipe as (
    select id, instance_id, finished_at as at from wipe_history where license_id = $1
    order by finished_at desc limit 20
  )
  select wipe.id, count(*) filter (where d0) as cohort, count(*) filter (where d0 and d1) as after_24,
    count(*) filter (where d0 and d2) as after_48, count(*) filter (where d0 and d3) as after_72
  from wipe cross join lateral (
    select steam_id,
      bool_or(started_at < at + interval '24 hours' and ended_at > at) as d0,
      bool_or(started_at < at + interval '48 hours' and ended_at > at + interval '24 hours') as d1,
      bool_or(started_at < at + interval '72 hours' and ended_at > at + interval '48 hours') as d2,
      bool_or(started_at < at + interval '96 hours' and ended_at > at + interval '72 hours') as d3
    from player_session where license_id = $1 and instance_id = wipe.instance_id
      and started_at > at - interval '12 hours' and started_at < at + interval '96 hours'
    group by steam_id
  ) as player group by wipe.id, at order by at desc`;

const environment = await openEnvironment();
const client = new pg.Client({ connectionString: environment.databaseUrl, options: '-c timezone=UTC' });
let platform: Child | undefined;
try {
  platform = await startChild('servers/platform.ts', {
    ...(JSON.parse(environment.settings) as object),
    roles: ['api'],
  });
  const { url } = platform.ready;
  await client.connect();
  await preparePartitions(client, daysOf.long);
  const ids = {
    short: await createLicense(url, 'short'),
    middle: await createLicense(url, 'middle'),
    long: await createLicense(url, 'long'),
  };
  await client.query('analyze');
  // Counting takes longer than a token is valid.
  const licenses = {
    short: await openLicense(url, ids.short),
    middle: await openLicense(url, ids.middle),
    long: await openLicense(url, ids.long),
  };
  await measureGrowth(url, licenses);
  await measureRetention(url, licenses.long);
} finally {
  await platform?.stop();
  await client.end();
  await environment.stop();
}

interface License {
  id: string;
  token: string;
  instanceId: string;
}

async function post<T>(url: string, path: string, body: object, token?: string): Promise<T> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
}

async function signIn(url: string, licenseId?: string): Promise<string> {
  const { session } = await post<{ session: { access_token: string } }>(url, '/auth/login', {
    email: 'bench@example.com',
    password: 'correct-horse-battery',
    ...(licenseId !== undefined && { license_id: licenseId }),
  });
  return session.access_token;
}

async function createLicense(url: string, length: Length): Promise<string> {
  const { id } = await post<{ id: string }>(url, '/api/admin/licenses', {}, await signIn(url));
  const history = { licenseId: id, days: daysOf[length], sessionsADay };
  await storeHistory(client, history);
  // Wipes are known when players join.
  await countHistory(environment.databaseUrl, client);
  const began = performance.now();
  await copySessions(client, history);
  const loadSeconds = (performance.now() - began) / 1_000;
  await client.query('analyze');
  const counted = await countHistory(environment.databaseUrl, client);
  const sessions = history.days * sessionsADay;
  console.log(
    `${length}: ${sessions.toLocaleString('en')} sessions of ${history.days} days, loaded in ${loadSeconds.toFixed(0)} s, counted in ${counted.toFixed(0)} s (${Math.round(sessions / counted).toLocaleString('en')} sessions/s)`,
  );
  return id;
}

async function openLicense(url: string, id: string): Promise<License> {
  const { rows } = await client.query<{ id: string }>(
    'select id from game_instance where license_id = $1 order by id limit 1',
    [id],
  );
  return { id, token: await signIn(url, id), instanceId: rows[0]?.id ?? '' };
}

/** Every operation with its most frequent and its most expensive query. */
function queriesOf({ instanceId }: License): Record<string, string> {
  const from = new Date(Date.now() - 9 * 86_400_000).toISOString();
  return {
    'maps, 30 days': '/api/analytics/maps?range=30d',
    'maps, 90 days': '/api/analytics/maps?range=90d',
    'maps, all': '/api/analytics/maps?range=all',
    'retention, 6 wipes': '/api/analytics/retention?wipes=6',
    'retention, 20 wipes': '/api/analytics/retention?wipes=20',
    'players, 30 days': '/api/analytics/players?days=30',
    'players, 90 days': '/api/analytics/players?days=90',
    'session lengths, 90 days': '/api/analytics/session-lengths?days=90',
    'peak hours, 90 days': '/api/analytics/peak-hours?days=90&time_zone=Europe/Berlin',
    'server stats, 9 days': `/api/analytics/server-stats?instance_id=${instanceId}&from=${from}&step=1h`,
    sessions: '/api/analytics/sessions?limit=100',
    'sessions of an instance': `/api/analytics/sessions?limit=100&instance_id=${instanceId}`,
  };
}

/** Milliseconds until the whole response has arrived. */
async function timeOf(url: string, path: string, { token }: License): Promise<number> {
  const began = performance.now();
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return performance.now() - began;
}

async function measureGrowth(url: string, licenses: Record<Length, License>): Promise<void> {
  console.log('\nms for a response, and how much longer it takes with ten times the history   aim ≤ 1.30');
  for (const name of Object.keys(queriesOf(licenses.long))) {
    const times: Record<Length, number[]> = { short: [], middle: [], long: [] };
    // Alternately, so that other load of the machine affects all of them.
    for (let round = -5; round < rounds; round += 1) {
      for (const length of ['short', 'middle', 'long'] as const) {
        const time = await timeOf(url, queriesOf(licenses[length])[name] ?? '', licenses[length]);
        if (round >= 0) times[length].push(time);
      }
    }
    const [short, middle, long] = [median(times.short), median(times.middle), median(times.long)];
    console.log(
      `  ${name.padEnd(26)} ${[short, middle, long].map((ms) => ms.toFixed(1).padStart(7)).join('')}   ${(middle / short).toFixed(2)}   ${(long / middle).toFixed(2)}`,
    );
    refuseMissed(Math.max(middle / short, long / middle) > 1.3);
  }
}

async function measureRetention(url: string, license: License): Promise<void> {
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = -1; round < 9; round += 1) {
    const began = performance.now();
    const { rows } = await client.query<{ cohort: string }>(byHand, [license.id]);
    const hand = performance.now() - began;
    const api = await timeOf(url, '/api/analytics/retention?wipes=20', license);
    if (round < 0) {
      await refuseOther(url, license, rows);
      continue;
    }
    theirs.push(hand);
    ours.push(api);
  }
  const ratio = median(theirs.map((ms, index) => ms / (ours[index] ?? NaN)));
  console.log(`\nretention over 20 wipes on ${(daysOf.long * sessionsADay).toLocaleString('en')} sessions`);
  console.log(`  ours       ${median(ours).toFixed(1)} ms, over HTTP`);
  console.log(`  baseline   ${median(theirs).toFixed(1)} ms, a direct query over the sessions`);
  console.log(`  faster by  ${ratio.toFixed(0)}   aim ≥ 20`);
  refuseMissed(ratio < 20);
}

/** Both must have the same result. */
async function refuseOther(url: string, { token }: License, rows: { cohort: string }[]): Promise<void> {
  const response = await fetch(`${url}/api/analytics/retention?wipes=20`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { wipes } = (await response.json()) as { wipes: { cohort_players: number }[] };
  const [expected, counted] = [
    rows.map(({ cohort }) => Number(cohort)),
    wipes.map((wipe) => wipe.cohort_players),
  ];
  if (expected.join() !== counted.join()) throw new Error(`${counted.join()} is not ${expected.join()}`);
}
