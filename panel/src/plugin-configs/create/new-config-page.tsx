// A new configuration: for which plugin, from what, and its name.
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Section } from '@gantry/ui/section.tsx';
import { useMay } from '../../api/may.ts';
import { BackLink } from '../../shared/back-link.tsx';
import { Page } from '../../shared/page.tsx';
import { useTexts } from '../../texts/texts.ts';
import { iconOf, isKind, kindNames, pluginsOf, useMayFor, type KindName } from '../kinds.ts';
import { sources, type Source } from '../searches.ts';
import classes from './create.module.css';
import { FromFiles } from './from-files.tsx';
import { FromPreset } from './from-preset.tsx';
import { FromServer } from './from-server.tsx';
import { takeFiles } from './handed-over.ts';
import { Choices } from './choices.tsx';

const route = getRouteApi('/frame/licensed/plugin-configs/new');

export function NewConfigPage() {
  const t = useTexts('plugin-configs');
  const { kind: given, from } = route.useSearch();
  const navigate = route.useNavigate();
  const mayCreate = useMayFor('POST /api/plugin-configs/{kind}');
  const mayTakeFromServer = useMay('POST /api/plugin-configs/{kind}/import-from-server');
  const [dropped, setDropped] = useState(takeFiles);
  const kind = isKind(given) ? given : null;
  const set = (change: { kind?: string; from?: Source }) =>
    void navigate({ search: (former) => ({ ...former, ...change }), replace: true });
  const choices = kindNames.filter(mayCreate);
  return (
    <Page
      title={t('create.title')}
      lead={t('create.lead')}
      above={<BackLink to="/plugin-configs">{t('title')}</BackLink>}
      width="narrow"
    >
      <Section title={t('create.kind')}>
        <div className={classes.kinds} role="radiogroup" aria-label={t('create.kind')}>
          {choices.map((name) => (
            <KindChoice
              key={name}
              kind={name}
              isChosen={name === kind}
              onChoose={() => set({ kind: name })}
            />
          ))}
        </div>
      </Section>
      {(kind !== null || from === 'files') && (
        <Section title={t('create.from')}>
          <div className="stack">
            <Choices
              label={t('create.from')}
              value={from}
              choices={sources
                .filter((source) => source !== 'server' || mayTakeFromServer)
                .map((source) => ({
                  value: source,
                  name: t(`sources.${source}.name`),
                  detail: t(`sources.${source}.detail`),
                }))}
              onChoose={(source) => set({ from: source })}
            />
            {from === 'files' ? (
              <FromFiles
                kind={kind}
                dropped={dropped}
                onDropped={setDropped}
                onKind={(name) => set({ kind: name })}
              />
            ) : kind === null ? null : from === 'server' ? (
              <FromServer key={kind} kind={kind} />
            ) : (
              <FromPreset key={kind} kind={kind} />
            )}
          </div>
        </Section>
      )}
    </Page>
  );
}

interface KindChoiceProps {
  kind: KindName;
  isChosen: boolean;
  onChoose: () => void;
}

function KindChoice({ kind, isChosen, onChoose }: KindChoiceProps) {
  const t = useTexts('plugin-configs');
  const Icon = iconOf(kind);
  return (
    <label className={classes.kind} data-chosen={isChosen || undefined}>
      <input type="radio" name="kind" className="visuallyHidden" checked={isChosen} onChange={onChoose} />
      <span className={classes.icon}>
        <Icon size={19} aria-hidden="true" />
      </span>
      <span className={classes.kindNames}>
        <span className={classes.kindName}>{t(`kinds.${kind}.name`)}</span>
        <span className="hint">{pluginsOf(kind).join(', ')}</span>
      </span>
    </label>
  );
}
