// Both files of the game settings as text, for settings that have no field, and for files of another server.
import { FileButton } from '@gantry/ui/file-button.tsx';
import { Alert, Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import { api, resultOf, type Schemas } from '../api/client.ts';
import { useAction, useGameConfigFiles } from '../api/queries.ts';
import { useRunning } from '../operations/operations-context.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { faultAt } from '../shared/faults.ts';
import { Loaded } from '../shared/loaded.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useUnsaved } from '../shared/use-unsaved.ts';
import { WaitsFor } from '../shared/waits-for.tsx';

type Files = Schemas['GameConfigFiles'];

const names: Record<keyof Files, string> = { engine: 'UserEngine.ini', game: 'UserGame.ini' };

export function FilesEditor() {
  const [isWanted, setIsWanted] = useState(false);
  const asked = useGameConfigFiles(isWanted);
  return (
    <Section
      title="The files"
      lead="Edit settings that have no field here, or import the files of another server. Known settings are validated; all other lines are kept as written."
    >
      {isWanted ? (
        <Loaded asked={asked} waitingFor="the files">
          {({ files, version }) => <Editor key={version} saved={files} version={version} />}
        </Loaded>
      ) : (
        <Button variant="default" onClick={() => setIsWanted(true)}>
          Edit the files
        </Button>
      )}
    </Section>
  );
}

function Editor({ saved, version }: { saved: Files; version: string }) {
  const running = useRunning();
  const [draft, setDraft] = useState(saved);
  const save = useAction((body: Files) =>
    resultOf(api.PUT('/api/game-config/files', { params: { header: { 'If-Match': version } }, body })),
  );
  const isChanged = draft.engine !== saved.engine || draft.game !== saved.game;
  useUnsaved(isChanged);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(draft);
      }}
    >
      {(['engine', 'game'] as const).map((name) => (
        <div key={name}>
          <Textarea
            mt="md"
            label={names[name]}
            autosize
            minRows={6}
            maxRows={24}
            maxLength={50_000}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            value={draft[name]}
            onChange={({ currentTarget }) => setDraft({ ...draft, [name]: currentTarget.value })}
            error={faultAt(save.error, `/${name}`)}
          />
          <FileButton
            accept=".ini,text/plain"
            mt="xs"
            size="xs"
            variant="default"
            onChoose={([file]) =>
              void file?.text().then((text) => setDraft((present) => ({ ...present, [name]: text })))
            }
          >
            Import {names[name]} …
          </FileButton>
        </div>
      ))}
      <ProblemAlert error={save.error} />
      {save.isSuccess && !isChanged && (
        <Alert mt="md" color="teal" role="status" title="Saved">
          Apply the files to the servers at a time that suits your players.
        </Alert>
      )}
      <div className="actions">
        <Button type="submit" disabled={!isChanged || running !== null} loading={save.isPending}>
          Save the files
        </Button>
        <Button variant="default" disabled={!isChanged} onClick={() => setDraft(saved)}>
          Discard changes to the files
        </Button>
      </div>
      <WaitsFor />
    </form>
  );
}
