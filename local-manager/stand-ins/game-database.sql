-- As much of the game's database as the manager asks for, with three characters.
create schema dune;
create function dune.decrypt_user_data(data bytea) returns text language sql immutable as $$ select convert_from(data, 'UTF8') $$;
create table dune.actors (id bigint primary key, properties jsonb not null, gas_attributes jsonb, map text);
create table dune.encrypted_player_state (
  account_id bigint not null,
  encrypted_character_name bytea not null,
  online_status text not null,
  player_controller_id bigint,
  player_pawn_id bigint references dune.actors,
  player_state_id bigint,
  last_login_time timestamptz,
  reconnect_grace_period_end timestamptz
);
create table dune.inventories (id bigint primary key, actor_id bigint references dune.actors, inventory_type int, max_item_count int);
create table dune.items (id bigint primary key, inventory_id bigint references dune.inventories, template_id text, stack_size int);

-- 128 entries each, some of them purchased, as a save of some hours has them.
insert into dune.actors (id, properties, map)
select id,
  jsonb_build_object(
    'TechKnowledgePlayerComponent', jsonb_build_object(
      'm_TechKnowledgePoints', 120,
      'm_NextTechTreeUpgradeIndex', 3,
      'm_TechKnowledge', jsonb_build_object('m_TechKnowledgeData', (
        select jsonb_agg(jsonb_build_object(
          'ItemKey', (case when n % 4 = 0 then 'BLD_' else 'RCP_' end) || 'Thing' || n,
          'bIsNewEntry', false,
          'UnlockedState', case when n <= 101 then 'Purchased' else 'NotPurchased' end) order by n)
        from generate_series(1, 128) n))),
    'OtherComponent', '{"kept": true}'::jsonb),
  'Survival_1'
from unnest(array[4711, 4712, 4713]::bigint[]) id;
update dune.actors set properties = '{"OtherComponent": {"kept": true}}' where id = 4713;
insert into dune.encrypted_player_state values
  (1, convert_to('Stilgar', 'UTF8'), 'Offline', 1, 4711, 1, '2026-11-20T18:00:00Z', '2026-11-20T18:10:00Z'),
  (2, convert_to('Chani', 'UTF8'), 'Online', 2, 4712, 2, '2026-11-21T09:00:00Z', null),
  (3, convert_to('Liet', 'UTF8'), 'Offline', 3, 4713, 3, null, null);
insert into dune.inventories values (1, 4711, 0, 30);
insert into dune.items values (1, 1, 'Literjon', 1), (2, 1, 'Water', 500);
