// The characters of the world, as a list or individually.
import { Anchor, Button, Table } from '@mantine/core';
import type { Schemas } from '../api/client.ts';
import { useCharacters } from '../api/queries.ts';
import { Loaded } from '../shared/loaded.tsx';
import { PageHead } from '@gantry/ui/page-head.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { ScrollingTable } from '@gantry/ui/scrolling-table.tsx';
import { CharacterPage } from './character-page.tsx';
import { dateInWords, OnlineState } from './online-state.tsx';

export function Characters({ rest: [characterId] }: { rest: string[] }) {
  if (characterId !== undefined) return <CharacterPage key={characterId} characterId={characterId} />;
  return <CharacterList />;
}

function CharacterList() {
  const characters = useCharacters();
  return (
    <div className="stack">
      <PageHead title="Characters">
        Characters can be changed only while offline; otherwise the game would overwrite the change from
        memory.
      </PageHead>
      <Section title="All characters">
        <Loaded asked={characters} waitingFor="the characters">
          {({ pages }) => <CharacterTable characters={pages.flatMap(({ data }) => data)} />}
        </Loaded>
        {characters.hasNextPage && (
          <div className="actions">
            <Button
              variant="default"
              loading={characters.isFetchingNextPage}
              onClick={() => void characters.fetchNextPage()}
            >
              Show more
            </Button>
          </div>
        )}
      </Section>
    </div>
  );
}

function CharacterTable({ characters }: { characters: readonly Schemas['Character'][] }) {
  if (characters.length === 0) return <p className="hint">There are no characters in this world yet.</p>;
  return (
    <ScrollingTable label="Characters">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th>State</Table.Th>
          <Table.Th>Last online</Table.Th>
          <Table.Th>ID</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {characters.map((character) => (
          <Table.Tr key={character.id}>
            <Table.Td>
              <Anchor size="sm" underline="always" href={`#/characters/${character.id}`}>
                {character.name ?? `Character ${character.id}`}
              </Anchor>
            </Table.Td>
            <Table.Td>
              <OnlineState character={character} />
            </Table.Td>
            <Table.Td className="moment">{dateInWords(character.lastLoginAt)}</Table.Td>
            <Table.Td className="number">{character.id}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollingTable>
  );
}
