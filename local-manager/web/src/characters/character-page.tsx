// A character with its items, its tech tree, and the button that unlocks all of it.
import { Anchor, Badge, Button } from '@mantine/core';
import { useState } from 'react';
import { api, bodyOf, type Schemas } from '../api/client.ts';
import { useAction, useCharacter } from '../api/queries.ts';
import { useRunning } from '../operations/operations-context.tsx';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { Facts } from '@gantry/ui/facts.tsx';
import { Icon } from '@gantry/ui/icons.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { PageHead } from '@gantry/ui/page-head.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { WaitsFor } from '../shared/waits-for.tsx';
import { dateInWords, OnlineState } from './online-state.tsx';
import { TechNodes } from './tech-nodes.tsx';
import { Unlocked } from './unlocked.tsx';

type Character = Schemas['CharacterDetail'];

export function CharacterPage({ characterId }: { characterId: string }) {
  const character = useCharacter(characterId);
  return (
    <div className="stack">
      <div>
        <Anchor href="#/characters" underline="always">
          All characters
        </Anchor>
      </div>
      <PageHead title={character.data?.name ?? `Character ${characterId}`} />
      <Loaded asked={character} waitingFor="the character">
        {(data) => (
          <>
            <Section title="Character" aside={<OnlineState character={data} />}>
              <Facts
                facts={[
                  ['Id', data.id],
                  ['Map', data.map],
                  ['Item stacks', data.items],
                  ['Last online', dateInWords(data.lastLoginAt)],
                ]}
              />
            </Section>
            <TechPanel character={data} />
          </>
        )}
      </Loaded>
    </div>
  );
}

function TechPanel({ character: { id, name, isOnline, tech } }: { character: Character }) {
  const running = useRunning();
  const [isAsking, setIsAsking] = useState(false);
  const unlock = useAction(() =>
    bodyOf(
      api.POST('/api/characters/{characterId}/tech/unlock-all', { params: { path: { characterId: id } } }),
    ),
  );
  return (
    <Section title="Tech Tree" aside={<TechBadge tech={tech} />}>
      <Facts
        facts={[
          ['Purchased', tech.purchased],
          ['In the save', tech.inSave],
          ['In the game', tech.inGame],
          ['Unspent points', tech.points],
        ]}
      />
      {isOnline && (
        <p className="hint">The character may be in the game. You can change it when it is offline.</p>
      )}
      <div className="actions">
        <Button
          disabled={running !== null || isOnline}
          loading={unlock.isPending}
          onClick={() => setIsAsking(true)}
          leftSection={<Icon name="key" size={16} />}
        >
          Unlock all
        </Button>
        <WaitsFor />
      </div>
      <ProblemAlert error={unlock.error} />
      {unlock.data !== undefined && <Unlocked unlock={unlock.data} />}
      <TechNodes characterId={id} />
      <ConfirmDialog
        isOpen={isAsking}
        title="Unlock the whole tech tree?"
        action="Unlock all"
        onConfirm={() => unlock.mutate()}
        onClose={() => setIsAsking(false)}
      >
        <p>
          {name ?? 'The character'} gets every node and 99,999 points, and keeps everything it has. Its
          previous state is saved in the manager’s home folder.
        </p>
      </ConfirmDialog>
    </Section>
  );
}

function TechBadge({ tech: { purchased, inSave, inGame } }: Pick<Character, 'tech'>) {
  return (
    <Badge size="lg" variant="light" tt="none">
      {purchased} purchased · {inSave} in save · {inGame} in game
    </Badge>
  );
}
