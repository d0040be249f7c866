// Where the configuration goes: servers to choose, what would change on each, and what became of it.
import { Alert, Button } from '@mantine/core';
import { ServerOff } from 'lucide-react';
import { useState } from 'react';
import { Section } from '@gantry/ui/section.tsx';
import { useMay } from '../../api/may.ts';
import type { Schemas } from '../../api/operations.ts';
import { usePages } from '../../api/reading.ts';
import { EmptyState } from '../../shared/empty-state.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { TableSkeleton } from '../../shared/table-skeleton.tsx';
import { useTexts } from '../../texts/texts.ts';
import { useMayFor } from '../kinds.ts';
import { ApplyDialog } from './apply-dialog.tsx';
import { ApplyResults } from './apply-results.tsx';
import classes from './apply.module.css';
import { Comparison } from './comparison.tsx';
import { History } from './history.tsx';
import { PlayerCommands } from './player-commands.tsx';
import { ServerChoice } from './server-choice.tsx';

interface ServersViewProps {
  config: Schemas['PluginConfig'];
  isDirty: boolean;
  isSaving: boolean;
  onSave: () => void;
}

export type Server = Schemas['GameInstance'];

export function ServersView({ config, isDirty, isSaving, onSave }: ServersViewProps) {
  const t = useTexts('plugin-configs');
  const mayList = useMay('GET /api/fleet/instances');
  const servers = usePages('/api/fleet/instances', {}, { all: true, enabled: mayList });
  const applications = usePages(
    '/api/plugin-applications',
    { params: { query: { plugin_config_id: config.id } } },
    { limit: 100 },
  );
  const own = applications.items ?? [];
  return (
    <div className="stack">
      {isDirty && (
        <Alert color="yellow" role="status" title={t('apply.unsavedTitle')}>
          <p className="sentence">{t('apply.unsaved', { version: config.version })}</p>
          <Button size="xs" variant="default" loading={isSaving} onClick={onSave}>
            {t('apply.saveFirst')}
          </Button>
        </Alert>
      )}
      <ApplyResults configId={config.id} />
      {mayList && (
        <Section title={t('apply.servers')} lead={t('apply.lead')}>
          <Loaded
            asked={{ ...servers, data: servers.items }}
            waitingFor={t('apply.servers')}
            skeleton={<TableSkeleton rows={3} />}
          >
            {(items) =>
              items.length === 0 ? (
                <EmptyState icon={ServerOff} title={t('apply.none')}>
                  {t('apply.noneDetail')}
                </EmptyState>
              ) : (
                <Choice
                  config={config}
                  servers={items}
                  applications={own}
                  isComplete={applications.isComplete}
                />
              )
            }
          </Loaded>
        </Section>
      )}
      {config.kind === 'timed-commands' && mayList && <PlayerCommands servers={servers.items ?? []} />}
      <History applications={own} servers={servers.items ?? []} pages={applications} />
    </div>
  );
}

interface ChoiceProps {
  config: Schemas['PluginConfig'];
  servers: readonly Server[];
  applications: readonly Schemas['PluginConfigApplication'][];
  isComplete: boolean;
}

function Choice({ config, servers, applications, isComplete }: ChoiceProps) {
  const t = useTexts('plugin-configs');
  const { kind } = config;
  const mayCompare = useMay('POST /api/plugin-configs/{kind}/{plugin_config_id}/preview');
  const mayApply = useMayFor('POST /api/plugin-configs/{kind}/{plugin_config_id}/apply')(kind);
  const [chosen, setChosen] = useState<readonly string[]>(
    servers.length === 1 ? servers.map(({ id }) => id) : [],
  );
  const [compared, setCompared] = useState<readonly string[]>([]);
  const [isAsking, setIsAsking] = useState(false);
  const selected = servers.filter(({ id }) => chosen.includes(id));
  return (
    <div className="stack">
      <ServerChoice
        servers={servers}
        applications={applications}
        isComplete={isComplete}
        chosen={chosen}
        {...((mayCompare || mayApply) && { onChosen: setChosen })}
      />
      {(mayCompare || mayApply) && (
        <div className={classes.actions}>
          {mayApply && (
            <Button disabled={selected.length === 0} onClick={() => setIsAsking(true)}>
              {t('apply.apply', { count: selected.length })}
            </Button>
          )}
          {mayCompare && (
            <Button
              variant="default"
              disabled={selected.length === 0}
              onClick={() => setCompared(selected.map(({ id }) => id))}
            >
              {t('apply.compare')}
            </Button>
          )}
        </div>
      )}
      {servers
        .filter(({ id }) => compared.includes(id))
        .map((server) => (
          <Comparison key={server.id} config={config} server={server} />
        ))}
      {isAsking && (
        <ApplyDialog
          config={config}
          servers={selected}
          // Comparisons show the files from before.
          onApply={() => setCompared([])}
          onClose={() => setIsAsking(false)}
        />
      )}
    </div>
  );
}
