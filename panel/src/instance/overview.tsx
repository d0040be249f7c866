// The overview of a server: figures, facts, and what was requested last.
import { Link } from '@tanstack/react-router';
import { CopyText } from '@gantry/ui/copy-text.tsx';
import { Facts } from '@gantry/ui/facts.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { useMay } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import { usePages } from '../api/reading.ts';
import { useFormats } from '../shared/formats.ts';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { LatestCommands } from './latest-commands.tsx';
import classes from './overview.module.css';
import { useInstance } from './use-instance.ts';

type Instance = Schemas['GameInstance'];

export function Overview() {
  const { data: instance } = useInstance();
  const mayListCommands = useMay('GET /api/commands');
  if (instance === undefined) return null;
  return (
    <div className={classes.overview}>
      <Now instance={instance} />
      <div className={classes.columns}>
        <About instance={instance} />
        {mayListCommands && <LatestCommands instanceId={instance.id} />}
      </div>
    </div>
  );
}

function Now({ instance }: { instance: Instance }) {
  const t = useTexts('instance');
  const formats = useFormats();
  const number = (value: number | null) => (value === null ? '–' : formats.number(Math.round(value)));
  const players =
    instance.players !== null && instance.max_players !== null
      ? t('overview.of', { value: number(instance.players), max: number(instance.max_players) })
      : number(instance.players);
  const figures: readonly (readonly [string, string])[] = [
    [t('overview.players'), players],
    [t('overview.queued'), number(instance.queued)],
    [t('overview.fps'), number(instance.fps)],
    [t('overview.entities'), number(instance.entities)],
    [t('overview.cpu'), instance.cpu_percent === null ? '–' : formats.percent(instance.cpu_percent)],
    [t('overview.memory'), instance.memory_bytes === null ? '–' : formats.bytes(instance.memory_bytes)],
    [t('overview.uptime'), instance.uptime_seconds === 0 ? '–' : formats.duration(instance.uptime_seconds)],
  ];
  return (
    <section className={classes.figures} aria-label={t('overview.now')}>
      <dl>
        {figures.map(([name, value]) => (
          <div key={name} className={classes.figure}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function About({ instance }: { instance: Instance }) {
  const t = useTexts('instance');
  const { items: clusters } = usePages('/api/fleet/clusters', {}, { all: true });
  const cluster = clusters?.find(({ id }) => id === instance.cluster_id);
  return (
    <Section title={t('overview.about')}>
      <Facts
        facts={[
          [
            t('overview.host'),
            <Link key="host" to="/servers" search={{ host: instance.host_id }}>
              {instance.hostname}
            </Link>,
          ],
          [t('overview.game'), instance.game],
          [t('overview.map'), instance.map],
          [t('overview.cluster'), cluster?.name ?? null],
          [t('overview.managedBy'), t(`overview.managed.${instance.managed_by}`)],
          [t('overview.seen'), <Time key="seen" at={instance.last_seen_at} />],
          [t('overview.created'), <Time key="created" at={instance.created_at} />],
          [
            t('overview.id'),
            <CopyText key="id" text={instance.id}>
              {t('overview.copyId')}
            </CopyText>,
          ],
        ]}
      />
    </Section>
  );
}
