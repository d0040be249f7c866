// The frame of the page: navigation, the state of the machine, and the console.
import { useEffect, useRef, type ComponentType } from 'react';
import { problemOf } from './api/problem.ts';
import { useStatus } from './api/queries.ts';
import classes from './app.module.css';
import { AutomationPage } from './automation/automation.tsx';
import { BackupsPage } from './backups/backups.tsx';
import { Characters } from './characters/characters.tsx';
import { Dashboard } from './dashboard/dashboard.tsx';
import { Diagnostics } from './diagnostics/diagnostics.tsx';
import { GameConfig } from './game-config/game-config.tsx';
import { Locked } from './locked.tsx';
import { MachineState } from './machine-state.tsx';
import { MonitoringPage } from './monitoring/monitoring-page.tsx';
import { ConsoleDock } from './operations/console-dock.tsx';
import { SchemeSwitch } from '@gantry/ui/scheme-switch.tsx';
import { ServerLogsPage } from './server-logs/server-logs-page.tsx';
import { Setup } from './setup/setup.tsx';
import { Icon, type IconName } from '@gantry/ui/icons.tsx';
import { usePlace } from './shared/use-place.ts';
import { Visibility } from './visibility/visibility.tsx';

interface Tab {
  place: string;
  name: string;
  icon: IconName;
  Page: ComponentType<{ rest: string[] }>;
}

const dashboard: Tab = { place: '', name: 'Dashboard', icon: 'dashboard', Page: Dashboard };
const tabs: Tab[] = [
  dashboard,
  { place: 'setup', name: 'Setup', icon: 'setup', Page: Setup },
  { place: 'game-config', name: 'Game Config', icon: 'sliders', Page: GameConfig },
  { place: 'visibility', name: 'Visibility', icon: 'globe', Page: Visibility },
  { place: 'monitoring', name: 'Monitoring', icon: 'pulse', Page: MonitoringPage },
  { place: 'logs', name: 'Logs', icon: 'terminal', Page: ServerLogsPage },
  { place: 'backups', name: 'Backups', icon: 'archive', Page: BackupsPage },
  { place: 'automation', name: 'Automation', icon: 'restart', Page: AutomationPage },
  { place: 'characters', name: 'Characters', icon: 'people', Page: Characters },
  { place: 'diagnostics', name: 'Diagnostics', icon: 'info', Page: Diagnostics },
];

export function App() {
  const [place = '', ...rest] = usePlace();
  const status = useStatus();
  const tab = tabs.find((candidate) => candidate.place === place) ?? dashboard;
  const here = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    here.current?.scrollIntoView({ block: 'nearest', inline: 'center' });
    document.title = `${tab.name} · Gantry local manager`;
  }, [tab]);
  if (problemOf(status.error)?.code === 'unauthorized') return <Locked />;
  return (
    <div className={classes.frame}>
      <a
        className={classes.skip}
        href="#main"
        onClick={(event) => {
          // The URL fragment selects the page's section.
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
      >
        Skip to the page
      </a>
      <header className={classes.side}>
        <div className={classes.brand}>
          <span className={classes.name}>Gantry</span>
          <span className={classes.product}>local manager</span>
        </div>
        <nav className={classes.tabs} aria-label="Pages">
          {tabs.map(({ place: target, name, icon }) => (
            <a
              key={target}
              href={`#/${target}`}
              className={classes.tab}
              {...(target === tab.place && { 'aria-current': 'page' as const, ref: here })}
            >
              <Icon name={icon} />
              {name}
            </a>
          ))}
        </nav>
        <div className={classes.foot}>
          <MachineState status={status.data} isSilent={status.error !== null} />
          <SchemeSwitch />
        </div>
      </header>
      <div className={classes.column}>
        <main id="main" className={classes.main} tabIndex={-1}>
          <tab.Page rest={rest} />
        </main>
        <ConsoleDock />
      </div>
    </div>
  );
}
