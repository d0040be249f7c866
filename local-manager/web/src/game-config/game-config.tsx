// The settings of the game servers: saved first, deployed to the servers separately.
import { Alert, Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { resultOf, api, type Schemas } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import { useAction, useGameConfig } from '../api/queries.ts';
import { useRunning } from '../operations/operations-context.tsx';
import { faultAt } from '../shared/faults.ts';
import { Loaded } from '../shared/loaded.tsx';
import { PageHead } from '@gantry/ui/page-head.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useUnsaved } from '../shared/use-unsaved.ts';
import { WaitsFor } from '../shared/waits-for.tsx';
import { DriftPanel } from './drift-panel.tsx';
import classes from './game-config.module.css';
import { changesOf, groupsOf, nameOf, withDraft, wrongNumber, type Drafts, type Setting } from './drafts.ts';
import { FilesEditor } from './files-editor.tsx';
import { SettingField } from './setting-field.tsx';

export function GameConfig() {
  const asked = useGameConfig();
  return (
    <div className="stack">
      <PageHead title="Game Config">
        Saving only changes files. Players notice nothing until you apply the files to the servers and the
        servers restart.
      </PageHead>
      <Loaded asked={asked} waitingFor="the game settings">
        {({ config, version }) => (
          <>
            <DriftPanel config={config} />
            <SettingsForm config={config} version={version} />
            <FilesEditor />
          </>
        )}
      </Loaded>
    </div>
  );
}

function SettingsForm({ config, version }: { config: Schemas['GameConfig']; version: string }) {
  const running = useRunning();
  const form = useRef<HTMLFormElement>(null);
  const [drafts, setDrafts] = useState<Drafts>({});
  const changes = changesOf(config.settings, drafts);
  const save = useAction(() =>
    resultOf(
      api.PATCH('/api/game-config', { params: { header: { 'If-Match': version } }, body: { changes } }),
    ),
  );
  const faultOf = (setting: Setting) => {
    const index = changes.findIndex((change) => nameOf(change) === nameOf(setting));
    return index < 0 ? undefined : faultAt(save.error, `/changes/${index}/value`);
  };
  const isWrong = config.settings.some(
    (setting) => wrongNumber(setting, drafts[nameOf(setting)] ?? null) !== undefined,
  );
  // The form is long, so the first error is scrolled into view.
  useEffect(() => {
    if (save.isError) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [save.isError]);
  useUnsaved(changes.length > 0);
  const isStale = problemOf(save.error)?.code === 'stale_version';
  return (
    <form
      ref={form}
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isWrong) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
        else save.mutate(undefined, { onSuccess: () => setDrafts({}) });
      }}
    >
      {groupsOf(config.settings).map(({ name, title, file, settings }) => (
        <Section key={name} title={title} aside={<span className="hint">{file}</span>}>
          <div className="fields">
            {settings.map((setting) => (
              <SettingField
                key={nameOf(setting)}
                setting={setting}
                draft={drafts[nameOf(setting)]}
                isDriftKnown={config.drift !== 'unknown'}
                error={faultOf(setting)}
                onChange={(value) => {
                  save.reset();
                  setDrafts(withDraft(drafts, setting, value));
                }}
              />
            ))}
          </div>
        </Section>
      ))}
      <ProblemAlert error={save.error}>
        {isStale && (
          <p className="sentence">
            The fields show the saved values, with your changes on top. Check them and save again.
          </p>
        )}
      </ProblemAlert>
      {save.isSuccess && changes.length === 0 && (
        <Alert color="teal" role="status" title="Saved">
          Apply the settings to the servers at a time that suits your players.
        </Alert>
      )}
      <div className={classes.save} data-changed={changes.length > 0}>
        <span role="status">
          {changes.length === 0
            ? 'No changes.'
            : `${changes.length} ${changes.length === 1 ? 'setting is' : 'settings are'} changed.`}
        </span>
        <Button variant="default" disabled={changes.length === 0} onClick={() => setDrafts({})}>
          Undo
        </Button>
        <Button type="submit" disabled={changes.length === 0 || running !== null} loading={save.isPending}>
          Save
        </Button>
      </div>
      <WaitsFor />
    </form>
  );
}
