// The frame of one configuration: its name, its views, its draft, and how it is saved.
import { Alert, Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useMay } from '../../api/may.ts';
import type { Schemas } from '../../api/operations.ts';
import { faultAt, hasCode } from '../../api/problem.ts';
import { keyOf } from '../../api/reading.ts';
import { useWrite } from '../../api/writing.ts';
import { BackLink } from '../../shared/back-link.tsx';
import { tagOf, useDraft } from '../../shared/draft.ts';
import { Page } from '../../shared/page.tsx';
import { ProblemAlert } from '../../shared/problem-alert.tsx';
import { Time } from '../../shared/time.tsx';
import { UnsavedGuard } from '../../shared/unsaved-guard.tsx';
import { useTexts } from '../../texts/texts.ts';
import { ServersView } from '../apply/servers-view.tsx';
import { ImportNotice } from '../create/import-notice.tsx';
import {
  ConfigContext,
  EditingContext,
  FindingsContext,
  TargetContext,
  type Finding,
  type Target,
} from '../editors/editing.ts';
import { useMayFor } from '../kinds.ts';
import { isObject, withValue, type JsonObject } from '../schema/data.ts';
import type { ObjectSchema } from '../schema/schema.ts';
import type { View } from '../searches.ts';
import { ConfigConflict } from './config-conflict.tsx';
import { ConfigMenu } from './config-menu.tsx';
import classes from './config.module.css';
import { EditView } from './edit-view.tsx';
import { FindingsPanel } from './findings-panel.tsx';
import { readKept, useKeep, type ConfigValues } from './kept-changes.ts';
import { LazyJsonEditor } from './lazy-json-editor.tsx';
import { SaveBar } from './save-bar.tsx';
import { refusedPlaces, useFindings } from './use-findings.ts';
import { ViewTabs } from './view-tabs.tsx';

type Config = Schemas['PluginConfig'];

const route = getRouteApi('/frame/licensed/plugin-configs/$kind/$configId');
const documentPath = '/api/plugin-configs/{kind}/{plugin_config_id}';

interface ConfigFormProps {
  config: Config;
  version: string;
  schema: ObjectSchema;
}

const valuesOf = ({ name, config_data }: Config): ConfigValues => ({
  name,
  data: config_data,
});

export function ConfigForm({ config, version, schema }: ConfigFormProps) {
  const t = useTexts('plugin-configs');
  const queries = useQueryClient();
  const { view } = route.useSearch();
  const { kind, id } = config;
  const mayManage = useMayFor('PATCH /api/plugin-configs/{kind}/{plugin_config_id}')(kind);
  const [kept] = useState(() => (mayManage ? readKept(id) : null));
  const current = useMemo(() => valuesOf(config), [config]);
  const draft = useDraft(current, version, kept);
  const isKept = useKeep(id, draft);
  const { values, isDirty } = draft;
  const params = { path: { kind, plugin_config_id: id } };
  const save = useWrite('PATCH /api/plugin-configs/{kind}/{plugin_config_id}', {
    refreshes: ['/api/plugin-configs/{kind}'],
    onDone: (stored) => take(stored),
  });
  const take = (stored: Config) => {
    const tag = tagOf(stored.version);
    queries.setQueryData([...keyOf(documentPath, { params }), 'document'], {
      document: stored,
      version: tag,
    });
    draft.settle(valuesOf(stored), tag);
  };
  const isStale = hasCode(save.error, 'stale_version');
  useEffect(() => {
    if (isStale) void queries.invalidateQueries({ queryKey: [documentPath] });
  }, [isStale, queries]);
  const check = useFindings(kind, values.data);
  const findings = useMemo(
    () => (check.findings.length > 0 ? check.findings : refusedPlaces(save.error)),
    [check, save.error],
  );
  const editing = useEditor(kind, !mayManage, draft.set, values.data);
  const [target, setTarget] = useState<Target | null>(null);
  const views: Record<View, boolean> = {
    edit: true,
    json: true,
    servers: useMay('GET /api/plugin-applications'),
  };
  const mayApply = useMayFor('POST /api/plugin-configs/{kind}/{plugin_config_id}/apply')(kind);
  const navigate = route.useNavigate();
  const show = (next: View) => void navigate({ search: { view: next } });
  const send = () =>
    save.mutate({
      params: { ...params, header: { 'If-Match': draft.version } },
      body: {
        kind,
        ...(values.name !== draft.base.values.name && { name: values.name.trim() }),
        config_data: values.data,
      },
    });
  return (
    <Page
      title={config.name}
      above={<BackLink to="/plugin-configs">{t('title')}</BackLink>}
      status={<span className={classes.kind}>{t(`kinds.${kind}.name`)}</span>}
      lead={
        <>
          {t('config.version', { version: config.version })} · <Time at={config.updated_at} />
          {config.updated_by !== null && ` · ${config.updated_by}`}
        </>
      }
      action={
        <div className={classes.actions}>
          {mayApply && view !== 'servers' && (
            <Button
              variant={isDirty ? 'default' : 'filled'}
              leftSection={<Send size={16} aria-hidden="true" />}
              onClick={() => show('servers')}
            >
              {t('config.apply')}
            </Button>
          )}
          <ConfigMenu config={config} isDirty={isDirty} />
        </div>
      }
    >
      <EditingContext.Provider value={editing}>
        <FindingsContext.Provider value={findings}>
          <TargetContext.Provider value={target}>
            <UnsavedGuard isUnsaved={isDirty && !isKept} />
            <ViewTabs views={views} />
            <ImportNotice configId={id} />
            {kept !== null && isDirty && (
              <Alert color="blue" role="status">
                {t('config.restored')} <Time at={kept.at} />
              </Alert>
            )}
            <ConfigConflict draft={draft} />
            {view !== 'servers' && (
              <FindingsPanel
                findings={findings}
                onChoose={(finding: Finding) => {
                  show('edit');
                  setTarget({ pointer: finding.pointer, at: Date.now() });
                }}
              />
            )}
            <ProblemAlert error={check.error} />
            {view === 'edit' && (
              <>
                <TextInput
                  className={classes.nameField ?? ''}
                  label={t('config.name')}
                  maxLength={100}
                  disabled={!mayManage}
                  value={values.name}
                  error={faultAt(save.error, '/name', 'name_taken')}
                  onChange={(event) => draft.set({ name: event.currentTarget.value })}
                />
                <ConfigContext.Provider value={{ id, version: draft.version, isDirty, take }}>
                  <EditView kind={kind} data={values.data} schema={schema} />
                </ConfigContext.Provider>
              </>
            )}
            <LazyJsonEditor
              isShown={view === 'json'}
              data={values.data}
              isReadOnly={!mayManage}
              onData={(data) => draft.set({ data })}
            />
            {view === 'servers' && (
              <ServersView config={config} isDirty={isDirty} isSaving={save.isPending} onSave={send} />
            )}
            {isDirty && mayManage && (
              <SaveBar
                isPending={save.isPending}
                isBlocked={draft.theirs !== null}
                onSave={send}
                onDiscard={() => {
                  save.reset();
                  draft.reset();
                }}
              >
                <ProblemAlert
                  error={isStale || hasCode(save.error, 'name_taken') ? null : save.error}
                  fields={['/name', ...findings.map(({ pointer }) => `/config_data${pointer}`)]}
                />
              </SaveBar>
            )}
          </TargetContext.Provider>
        </FindingsContext.Provider>
      </EditingContext.Provider>
    </Page>
  );
}

/** The same object while the settings change: editors are rendered for what has changed only. */
function useEditor(
  kind: Config['kind'],
  isReadOnly: boolean,
  change: (change: Partial<ConfigValues>) => void,
  data: JsonObject,
) {
  const latest = useRef(data);
  const apply = useRef(change);
  useEffect(() => {
    latest.current = data;
    apply.current = change;
  });
  const set = useCallback((path: readonly (string | number)[], value: Parameters<typeof withValue>[2]) => {
    const next = withValue(latest.current, path, value);
    if (!isObject(next)) return;
    latest.current = next;
    apply.current({ data: next });
  }, []);
  return useMemo(() => ({ kind, isReadOnly, set }), [kind, isReadOnly, set]);
}
