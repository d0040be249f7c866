// How the platform does: its customers, its revenue, and the health of what it runs on.
import { Alert } from '@mantine/core';
import { MailWarning, TriangleAlert } from 'lucide-react';
import { Facts } from '@gantry/ui/facts.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { StateText } from '@gantry/ui/state-text.tsx';
import type { Schemas } from '../api/operations.ts';
import { useRead } from '../api/reading.ts';
import { ButtonLink } from '../shared/button-link.tsx';
import { useFormats } from '../shared/formats.ts';
import { Loaded } from '../shared/loaded.tsx';
import { Page } from '../shared/page.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { everyMs } from './every-ms.ts';
import { Figures } from '../shared/figures.tsx';
import classes from './admin.module.css';
import { moneyWords } from './money-words.ts';

const maxTables = 8;

export function OverviewPage() {
  const t = useTexts('admin');
  const stats = useRead('/api/admin/stats', {}, { every: everyMs });
  const health = useRead('/api/admin/health', {}, { every: everyMs });
  return (
    <Page title={t('overview.title')} lead={t('overview.lead')}>
      <Loaded asked={stats} waitingFor={t('overview.title')}>
        {(figures) => <Numbers stats={figures} />}
      </Loaded>
      <Loaded asked={health} waitingFor={t('overview.health')}>
        {(state) => <Health health={state} />}
      </Loaded>
    </Page>
  );
}

function Numbers({ stats }: { stats: Schemas['PlatformStats'] }) {
  const t = useTexts('admin');
  const formats = useFormats();
  const { licenses, users, servers, monthly_recurring_revenue, early_access_signups, growth } = stats;
  const number = (value: number) => formats.number(value);
  const trend = ({ last_30_days, previous_30_days }: Schemas['GrowthCounts']) => (
    <span key="trend" className={classes.trend}>
      {t('overview.trend', { added: number(last_30_days), before: number(previous_30_days) })}
    </span>
  );
  return (
    <Figures
      label={t('overview.figures')}
      figures={[
        { name: t('overview.revenue'), value: moneyWords(monthly_recurring_revenue, formats) },
        {
          name: t('overview.licenses'),
          value: number(licenses.active),
          detail: [
            t('overview.licensesElse', {
              revoked: number(licenses.revoked),
              suspended: number(licenses.suspended),
            }),
            trend(growth.licenses),
          ],
        },
        {
          name: t('overview.users'),
          value: number(users.total),
          detail: [
            t('overview.usersElse', {
              disabled: number(users.disabled),
              count: users.super_admins,
            }),
            trend(growth.users),
          ],
        },
        {
          name: t('overview.hosts'),
          value: number(servers.online_hosts),
          detail: [t('overview.hostsElse', { total: number(servers.hosts) }), trend(growth.hosts)],
        },
        {
          name: t('overview.servers'),
          value: number(servers.running_instances),
          detail: t('overview.serversElse', { total: number(servers.instances) }),
        },
        {
          name: t('overview.signups'),
          value: number(early_access_signups),
          detail: trend(growth.early_access_signups),
        },
      ]}
    />
  );
}

function Health({ health }: { health: Schemas['PlatformDiagnostics'] }) {
  const t = useTexts('admin');
  const formats = useFormats();
  const { database, bus, jobs, queues, tables, mail } = health;
  /** Queues of a later version keep the platform's name. */
  const nameOf = (queue: string) => t(`overview.queueNames.${queue as 'jobs'}`, { defaultValue: queue });
  const late = queues.filter(({ is_late }) => is_late);
  const largest = tables.toSorted((one, other) => (other.rows ?? 0) - (one.rows ?? 0)).slice(0, maxTables);
  const needsAttention = jobs.failed > 0 || jobs.stuck > 0;
  return (
    <>
      {(needsAttention || late.length > 0) && (
        <Alert color="red" icon={<TriangleAlert size={18} />} title={t('overview.attention')}>
          {late.length > 0 && (
            <p className="sentence">
              {t('overview.late', { names: late.map(({ name }) => nameOf(name)).join(', ') })}
            </p>
          )}
          {needsAttention && (
            <>
              <p className="sentence">
                {t('overview.deadJobs', {
                  failed: formats.number(jobs.failed),
                  stuck: formats.number(jobs.stuck),
                })}
              </p>
              <ButtonLink to="/platform/jobs" size="xs" variant="default">
                {t('overview.seeJobs')}
              </ButtonLink>
            </>
          )}
        </Alert>
      )}
      {mail.transport === 'files' && (
        <Alert color="yellow" icon={<MailWarning size={18} />} title={t('overview.noMail.title')}>
          {t('overview.noMail.detail')}
        </Alert>
      )}
      <div className={classes.cards}>
        <Section title={t('overview.bus')}>
          <Facts
            facts={[
              [
                t('overview.state'),
                <StateText key="state" tone={bus.is_connected ? 'good' : 'bad'}>
                  {bus.is_connected ? t('overview.connected') : t('overview.disconnected')}
                </StateText>,
              ],
              [t('overview.since'), <Time key="since" at={bus.connected_since} />],
              [t('overview.guarded'), bus.is_guarded ? t('yes') : t('no')],
            ]}
          />
        </Section>
        <Section title={t('overview.database')}>
          <Facts
            facts={[
              [t('overview.version'), database.version],
              [t('overview.size'), formats.bytes(database.size_bytes)],
              [
                t('overview.connections'),
                t('overview.pool', {
                  used: formats.number(database.pool.total - database.pool.idle),
                  max: formats.number(database.pool.max),
                }),
              ],
              [t('overview.waiting'), formats.number(database.pool.waiting)],
            ]}
          />
        </Section>
        <Section title={t('overview.jobs')}>
          <Facts
            facts={(['waiting', 'scheduled', 'running', 'stuck', 'failed'] as const).map((name) => [
              t(`overview.jobCounts.${name}`),
              formats.number(jobs[name]),
            ])}
          />
        </Section>
        <Section title={t('overview.queues')} lead={t('overview.queuesLead')}>
          <ul className={classes.rows}>
            {queues.map(({ name, oldest_seconds, max_seconds, is_late }) => (
              <li key={name} className={classes.rowItem}>
                <span>{nameOf(name)}</span>
                <StateText tone={is_late ? 'bad' : 'good'}>
                  {oldest_seconds === null
                    ? t('overview.nothingWaits')
                    : t('overview.oldest', {
                        age: formats.duration(oldest_seconds),
                        max: formats.duration(max_seconds),
                      })}
                </StateText>
              </li>
            ))}
          </ul>
        </Section>
        <Section title={t('overview.tables', { count: largest.length })}>
          <ul className={classes.rows}>
            {largest.map(({ name, rows }) => (
              <li key={name} className={classes.rowItem}>
                <span className="mono">{name}</span>
                <span className={classes.amount}>{rows === null ? '–' : formats.number(rows)}</span>
              </li>
            ))}
          </ul>
        </Section>
      </div>
    </>
  );
}
