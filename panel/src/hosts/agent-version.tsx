// The version of a host's agent, with the newer one that can be installed, and how its latest update ended.
import { Link } from '@tanstack/react-router';
import { StateText } from '@gantry/ui/state-text.tsx';
import type { Schemas } from '../api/operations.ts';
import { useTexts } from '../texts/texts.ts';
import classes from './host-page.module.css';

type Host = Schemas['AgentHost'];
type Update = Schemas['AgentUpdate'];

/** The latest update while it is under way, and afterwards if it has not succeeded and its version is still offered. */
export function relevantUpdate({
  agent_update: update,
  available_agent_version: available,
}: Host): Update | null {
  if (update === null || update.finished_at === null) return update;
  return update.status !== 'succeeded' && update.version === available ? update : null;
}

export function AgentVersion({ host }: { host: Host }) {
  const { agent_version: version, available_agent_version: available, platform } = host;
  const t = useTexts('hosts');
  const update = relevantUpdate(host);
  return (
    <span className={classes.agent} title={platform}>
      {version}
      {update === null ? (
        available !== null && <span className="dim">{t('updates.available', { version: available })}</span>
      ) : (
        <UpdateState update={update} />
      )}
    </span>
  );
}

function UpdateState({ update }: { update: Update }) {
  const t = useTexts('hosts');
  const isUnderWay = update.finished_at === null;
  const words =
    update.status === 'queued'
      ? t('updates.waiting', { version: update.version })
      : isUnderWay
        ? t('updates.underWay', { version: update.version })
        : t('updates.failed', { version: update.version });
  return (
    <Link
      to="/commands/$commandId"
      params={{ commandId: update.command_id }}
      title={update.error?.detail ?? ''}
    >
      <StateText tone={isUnderWay ? 'busy' : 'bad'}>{words}</StateText>
    </Link>
  );
}
