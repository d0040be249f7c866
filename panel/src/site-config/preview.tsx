// What visitors see, with the changes that are not saved yet.
import { EyeOff } from 'lucide-react';
import { Section } from '@gantry/ui/section.tsx';
import { StateText, type Tone } from '@gantry/ui/state-text.tsx';
import { useMay } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import { usePages, useRead } from '../api/reading.ts';
import { useCronWords } from '../schedules/cron-words.ts';
import { useFormats } from '../shared/formats.ts';
import { useTexts } from '../texts/texts.ts';
import { isListed } from './listings-section.tsx';
import type { SettingsValues } from './settings-section.tsx';
import classes from './site-config.module.css';

type Listing = Schemas['PublicListing'];
type Instance = Schemas['GameInstance'];
type State = Schemas['PublicServerState'];

const tones: Record<State, Tone> = { online: 'good', starting: 'busy', offline: 'idle' };

/** The public figures are up to ten seconds old, and no event reports them. */
const figuresMs = 10_000;

interface PreviewProps {
  name: string;
  settings: SettingsValues;
  listings: readonly Listing[];
}

export function Preview({ name, settings, listings }: PreviewProps) {
  const t = useTexts('site-config');
  const formats = useFormats();
  const mayReadServers = useMay('GET /api/fleet/instances');
  const instances = usePages('/api/fleet/instances', {}, { all: true, enabled: mayReadServers }).items ?? [];
  const shown = listings.filter((listing) => isListed(listing, settings));
  const servers = shown.map((listing) => ({
    listing,
    instance: instances.find(({ id }) => id === listing.instance_id),
  }));
  const online = servers.filter(({ instance }) => stateOf(instance) === 'online');
  const players = online.reduce((sum, { instance }) => sum + (instance?.players ?? 0), 0);
  return (
    <div className={classes.preview}>
      <Section title={t('preview.title')} lead={t('preview.lead')}>
        {settings.is_public ? (
          <div className={classes.site}>
            <div className={classes.siteName}>{name}</div>
            {settings.status_page_description.trim() !== '' && (
              <p className={classes.siteText}>{settings.status_page_description}</p>
            )}
            <dl className={classes.sums}>
              <Sum name={t('preview.servers')} value={formats.number(servers.length)} />
              <Sum name={t('preview.online')} value={formats.number(online.length)} />
              <Sum name={t('preview.players')} value={formats.number(players)} />
            </dl>
            {servers.length === 0 && <p className="hint">{t('preview.none')}</p>}
            <ul className={classes.servers}>
              {servers.map(({ listing, instance }) => (
                <ServerCard
                  key={listing.instance_id}
                  listing={listing}
                  instance={instance}
                  fallback={settings.status_page_description}
                />
              ))}
            </ul>
          </div>
        ) : (
          <div className={classes.hidden}>
            <EyeOff size={22} aria-hidden="true" />
            <p>{t('preview.private')}</p>
          </div>
        )}
        <Platform />
      </Section>
    </div>
  );
}

function Sum({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** As the platform derives it for visitors. */
const stateOf = (instance: Instance | undefined): State =>
  instance?.state === 'running' ? 'online' : instance?.state === 'starting' ? 'starting' : 'offline';

interface ServerCardProps {
  listing: Listing;
  instance: Instance | undefined;
  /** The description of all servers. */
  fallback: string;
}

function ServerCard({ listing, instance, fallback }: ServerCardProps) {
  const t = useTexts('site-config');
  const formats = useFormats();
  const cronWords = useCronWords();
  const state = stateOf(instance);
  const { display_name, instance_name, description, wipe_schedule } = listing;
  const text = description ?? (fallback.trim() === '' ? null : fallback);
  const players = instance?.players ?? null;
  return (
    <li className={classes.server}>
      <div className={classes.serverHead}>
        <strong>{display_name ?? instance_name}</strong>
        <StateText tone={tones[state]}>{t(`preview.states.${state}`)}</StateText>
      </div>
      {text !== null && <p className={classes.siteText}>{text}</p>}
      <p className="hint">
        {state === 'online' && players !== null
          ? t('preview.playersOf', {
              players: formats.number(players),
              max: formats.number(instance?.max_players ?? 0),
            })
          : t('preview.noPlayers')}
        {state === 'online' && (instance?.map ?? '') !== '' && ` · ${instance?.map ?? ''}`}
      </p>
      {wipe_schedule !== null && (
        <p className="hint">
          {t('preview.wipes')} {cronWords(wipe_schedule.cron)} ({wipe_schedule.time_zone})
        </p>
      )}
    </li>
  );
}

/** The sums over all licenses, which the first page of the public status shows. */
function Platform() {
  const t = useTexts('site-config');
  const formats = useFormats();
  const platform = useRead('/api/public/status', { params: { query: { limit: 1 } } }, { every: figuresMs })
    .data?.platform;
  if (platform === undefined) return null;
  return (
    <p className={classes.platform}>
      {t('preview.platform', {
        servers: formats.number(platform.total_servers),
        online: formats.number(platform.online_servers),
        players: formats.number(platform.total_players),
      })}
    </p>
  );
}
