// The SQL that reads and changes characters. Each statement prints one line of JSON.

/** Whether the game may still write the character back. */
const isOnline = `(s.online_status::text <> 'Offline' or coalesce(s.reconnect_grace_period_end > now(), false))`;

const fields = `
  'id', s.player_pawn_id::text,
  'name', dune.decrypt_user_data(s.encrypted_character_name),
  'onlineStatus', s.online_status::text,
  'isOnline', ${isOnline},
  'lastLoginAt', to_char(s.last_login_time::timestamptz at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export const listCharacters = `
select coalesce(json_agg(character), '[]'::json) from (
  select json_build_object(${fields}) as character
  from dune.encrypted_player_state s
  where s.player_pawn_id > :'after'::bigint
  order by s.player_pawn_id
  limit :'limit'::int
) characters;`;

const knowledge = `a.properties -> 'TechKnowledgePlayerComponent'`;

export const getCharacter = `
select coalesce((
  select json_build_object(${fields},
    'map', a.map,
    'items', (select count(*) from dune.items i join dune.inventories v on v.id = i.inventory_id where v.actor_id = a.id),
    'points', ${knowledge} -> 'm_TechKnowledgePoints',
    'entries', ${knowledge} #> '{m_TechKnowledge,m_TechKnowledgeData}',
    'hash', md5(a.properties::text),
    'knowledge', ${knowledge})
  from dune.encrypted_player_state s join dune.actors a on a.id = s.player_pawn_id
  where s.player_pawn_id = :'id'::bigint
), 'null'::json);`;

/**
 * One transaction: locks the rows first, so that the second statement changes exactly what it sees. Writes nothing
 * unless the character is the one that was saved, and is out of the game.
 */
export const unlockAll = `
begin;
set local lock_timeout = '15s';
select '' from dune.actors where id = :'id'::bigint for update;
select '' from dune.encrypted_player_state where player_pawn_id = :'id'::bigint for update;
with actor as (
  select a.id, a.properties,
    ${knowledge} #> '{m_TechKnowledge,m_TechKnowledgeData}' as entries,
    md5(a.properties::text) = :'hash' as is_same,
    (${isOnline} and not (:'stopped'::boolean and s.online_status::text = 'LoggingOut')) as is_online
  from dune.actors a join dune.encrypted_player_state s on s.player_pawn_id = a.id
  where a.id = :'id'::bigint
), present as (
  select entry, position from actor, jsonb_array_elements(actor.entries) with ordinality as e(entry, position)
  where jsonb_typeof(actor.entries) = 'array'
), missing as (
  select key, number from jsonb_array_elements_text(:'catalog'::jsonb) with ordinality as c(key, number)
  where not exists (select from present where entry ->> 'ItemKey' = key)
), merged as (
  select
    (select coalesce(jsonb_agg(entry || '{"UnlockedState": "Purchased"}'::jsonb order by position), '[]') from present)
    || (select coalesce(jsonb_agg(jsonb_build_object(
        'ItemKey', key, 'bIsNewEntry', false, 'UnlockedState', 'Purchased') order by number), '[]') from missing)
    as entries
), updated as (
  update dune.actors a
  set properties = jsonb_set(
    jsonb_set(a.properties, '{TechKnowledgePlayerComponent,m_TechKnowledge,m_TechKnowledgeData}', merged.entries),
    '{TechKnowledgePlayerComponent,m_TechKnowledgePoints}', to_jsonb(:'points'::int))
  from actor, merged
  where a.id = actor.id and actor.is_same and not actor.is_online and jsonb_typeof(actor.entries) = 'array'
  returning a.id
)
select coalesce((select json_build_object(
  'isSame', is_same,
  'isOnline', is_online,
  'hasData', coalesce(jsonb_typeof(entries) = 'array', false),
  'isUpdated', exists (select from updated),
  'added', (select count(*) from missing),
  'purchased', (select count(*) from present where entry ->> 'UnlockedState' is distinct from 'Purchased'),
  'previous', (select count(*) from present),
  'total', (select jsonb_array_length(merged.entries) from merged)
) from actor), 'null'::json);
commit;`;
