// The fields of a wipe: what goes, the map that comes, the countdown, and what happens around it.
import { ActionIcon, Group, NativeSelect, Switch, TextInput, Tooltip } from '@mantine/core';
import { Dices } from 'lucide-react';
import { useMay } from '../api/may.ts';
import { faultAt } from '../api/problem.ts';
import { usePages } from '../api/reading.ts';
import { useTexts } from '../texts/texts.ts';
import { ChoiceCards } from './choice-cards.tsx';
import { NumberField } from './number-field.tsx';
import { SecondsField } from './seconds-field.tsx';
import { hasCountdown, maxSeed, randomSeed, type WipePlan } from './wipe-plan.ts';
import classes from './wipe-fields.module.css';

interface WipeFieldsProps {
  plan: WipePlan;
  set: (change: Partial<WipePlan>) => void;
  /** Schedules can choose another seed for each run. */
  isScheduled?: boolean;
  error: Error | null;
  /** The JSON pointer of the wipe in the request. */
  within?: string;
}

const countdowns = [0, 60, 300, 600, 900, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400];

/** The pointers whose faults these fields show. */
export const wipeFieldsIn = (within = ''): string[] =>
  ['seed', 'world_size', 'map_id', 'countdown_seconds', 'message'].map((name) => `${within}/${name}`);

export function WipeFields({ plan, set, isScheduled = false, error, within = '' }: WipeFieldsProps) {
  const t = useTexts('wipes');
  return (
    <div className={classes.fields}>
      <ChoiceCards
        label={t('fields.kind')}
        value={plan.kind}
        choices={(['map', 'blueprints', 'full'] as const).map((value) => ({
          value,
          label: t(`kinds.${value}`),
          detail: t(`takes.${value}`),
        }))}
        onChange={(kind) => set({ kind })}
      />
      <p className="hint">{t('fields.kept')}</p>
      {plan.kind !== 'blueprints' && (
        <>
          <ChoiceCards
            label={t('fields.map')}
            value={plan.map}
            choices={(['generated', 'uploaded', 'keep'] as const).map((value) => ({
              value,
              label: t(`maps.${value}`),
              detail: t(`mapDetails.${value}`),
            }))}
            onChange={(map) => set({ map })}
          />
          {plan.map === 'generated' && <Generated {...{ plan, set, isScheduled, error, within }} />}
          {plan.map === 'uploaded' && <Uploaded {...{ plan, set, error, within }} />}
        </>
      )}
      <div className="fields">
        <SecondsField
          label={t('fields.countdown')}
          description={t(isScheduled ? 'fields.scheduledCountdownHint' : 'fields.countdownHint')}
          zero={t('fields.atOnce')}
          value={plan.countdownSeconds}
          common={countdowns}
          max={86_400}
          error={faultAt(error, `${within}/countdown_seconds`)}
          onChange={(countdownSeconds) => set({ countdownSeconds })}
        />
        {hasCountdown(plan) && (
          <TextInput
            label={t('fields.message')}
            description={t('fields.messageHint')}
            placeholder={t('fields.messageDefault')}
            maxLength={300}
            value={plan.message}
            error={faultAt(error, `${within}/message`)}
            onChange={({ currentTarget }) => set({ message: currentTarget.value })}
          />
        )}
      </div>
      {hasCountdown(plan) && <p className="hint">{t('fields.announced')}</p>}
      <div className={classes.switches}>
        <Switch
          label={t('fields.backup')}
          description={t('fields.backupHint')}
          checked={plan.backup}
          onChange={({ currentTarget }) => set({ backup: currentTarget.checked })}
        />
        <Switch
          label={t('fields.start')}
          description={t('fields.startHint')}
          checked={plan.start}
          onChange={({ currentTarget }) => set({ start: currentTarget.checked })}
        />
      </div>
    </div>
  );
}

function Generated({ plan, set, isScheduled, error, within = '' }: WipeFieldsProps) {
  const t = useTexts('wipes');
  const hasSeed = isScheduled !== true || !plan.isRandom;
  return (
    <>
      {isScheduled === true && (
        <Switch
          label={t('fields.random')}
          description={t('fields.randomHint')}
          checked={plan.isRandom}
          onChange={({ currentTarget }) => set({ isRandom: currentTarget.checked })}
        />
      )}
      <div className="fields">
        {hasSeed && (
          <Group gap={6} align="flex-end" wrap="nowrap">
            <NumberField
              className="grow"
              label={t('fields.seed')}
              description={t('fields.seedHint')}
              min={1}
              max={maxSeed}
              isWhole
              isOptional
              value={plan.seed}
              error={faultAt(error, `${within}/seed`)}
              onChange={(seed) => set({ seed })}
            />
            <Tooltip label={t('fields.dice')}>
              <ActionIcon
                variant="default"
                size={36}
                aria-label={t('fields.dice')}
                onClick={() => set({ seed: randomSeed() })}
              >
                <Dices size={18} aria-hidden="true" />
              </ActionIcon>
            </Tooltip>
          </Group>
        )}
        <NumberField
          label={t('fields.worldSize')}
          description={t('fields.worldSizeHint')}
          placeholder={t('fields.keepsSize')}
          min={1_000}
          max={6_000}
          step={250}
          isWhole
          isOptional
          value={plan.worldSize}
          error={faultAt(error, `${within}/world_size`)}
          onChange={(worldSize) => set({ worldSize })}
        />
      </div>
    </>
  );
}

function Uploaded({ plan, set, error, within = '' }: WipeFieldsProps) {
  const t = useTexts('wipes');
  const mayList = useMay('GET /api/maps');
  const maps = usePages(
    '/api/maps',
    { params: { query: { is_public: true } } },
    { all: true, enabled: mayList },
  );
  if (!mayList) return <p className="hint">{t('fields.mayNotSeeMaps')}</p>;
  if (maps.items?.length === 0) return <p className="hint">{t('fields.noMaps')}</p>;
  return (
    <div className="fields">
      <NativeSelect
        label={t('fields.uploaded')}
        description={t('fields.uploadedHint')}
        value={plan.mapId}
        error={faultAt(error, `${within}/map_id`)}
        data={[
          { value: '', label: t('fields.chooseMap') },
          ...(maps.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={({ currentTarget }) => set({ mapId: currentTarget.value })}
      />
    </div>
  );
}
