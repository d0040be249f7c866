// Creates the manager's services from its settings, and connects them.
import { join } from 'node:path';
import type { Logger } from 'pino';
import { Automation } from './automation/automation.ts';
import { BackupStore } from './backups/backup-store.ts';
import { Backups } from './backups/backups.ts';
import { Announcements } from './battlegroup/announcements.ts';
import { Battlegroups } from './battlegroup/battlegroups.ts';
import { Characters } from './characters/characters.ts';
import { readTechCatalog } from './characters/tech-catalog.ts';
import type { Config } from './config.ts';
import { DiagnosticsBundle } from './diagnostics/bundle.ts';
import { Selftest } from './diagnostics/selftest.ts';
import { GameConfig } from './game-config/game-config.ts';
import { Guest } from './guest-shell/guest.ts';
import { HostKeys } from './guest-shell/host-keys.ts';
import { PowerShell } from './powershell/host-bridge.ts';
import { KeyFile } from './keys/key-file.ts';
import { LocalFolder } from './keys/local-folder.ts';
import { MonitoringStore } from './monitoring/monitoring-store.ts';
import { Monitoring } from './monitoring/monitoring.ts';
import { OperationStore } from './operations/operation-store.ts';
import { Operations } from './operations/operations.ts';
import { AuditLog } from './security/audit-log.ts';
import type { Secrets } from './security/secrets.ts';
import { ServerLogs } from './server-logs/server-logs.ts';
import { Bootstrap } from './setup/bootstrap.ts';
import { Importer } from './setup/importer.ts';
import { KeyExchange } from './setup/key-exchange.ts';
import { KeyRecovery } from './setup/key-recovery.ts';
import { Lock } from './setup/lock.ts';
import { Network } from './setup/network.ts';
import { Preflight } from './setup/preflight.ts';
import { SetupProgress } from './setup/progress.ts';
import { Reset } from './setup/reset.ts';
import { SetupState } from './setup/setup-state.ts';
import { StatusObserver } from './status/status.ts';
import { Updates } from './updates/updates.ts';
import { AddressWatch } from './visibility/address-watch.ts';
import { PortCheck } from './visibility/port-check.ts';
import { Visibility } from './visibility/visibility.ts';
import { WatchedAddressFile } from './visibility/watched-address.ts';
import { VmReader } from './vm/vm-reader.ts';
import { VmStarter } from './vm/vm-starter.ts';
import { Vm } from './vm/vm.ts';

/** How often schedules and the watchdog look at the time. */
const tickMs = 15_000;

export type Services = ReturnType<typeof createServices>;

export function createServices(config: Config, options: { version: string; log: Logger; secrets: Secrets }) {
  const { version, log, secrets } = options;
  const { vmName, home, isWsl, programs, pollMs, networkTrialMs: trialMs } = config;
  const audit = new AuditLog(join(home, 'audit.jsonl'), log);
  const store = new OperationStore(home);
  const operations = new Operations({ store, secrets, audit, log });
  const bridge = new PowerShell(programs.powershell);
  const reader = new VmReader(bridge, vmName, config.guest.port);
  const folder = new LocalFolder(bridge, {
    configured: config.localFolder,
    environment: config.localAppData,
    isWsl,
    wslpath: programs.wslpath,
  });
  const keys = new KeyFile(folder, { home, isWsl });
  const guest = new Guest(config, keys, reader);
  const battlegroups = new Battlegroups(guest, operations, pollMs);
  const starter = new VmStarter(bridge, reader, { vmName, home, log });
  const vm = new Vm({ bridge, reader, starter, guest, battlegroups, operations, vmName, pollMs });
  const sshKeygenProgram = programs.sshKeygen;
  const hostKeys = new HostKeys({ guest, keys, operations, sshKeygenProgram });
  const status = new StatusObserver({
    ...{ reader, starter, keys, hostKeys, guest, battlegroups, operations, vmName, version },
    startedAt: new Date(),
  });
  const state = new SetupState(home);
  const exchange = new KeyExchange({ config, guest, keys, log });
  const preflight = new Preflight(bridge, reader);
  const watched = new WatchedAddressFile(home);
  const visibility = new Visibility({ guest, battlegroups, operations, watched });
  const selftest = new Selftest({ bridge, config, version, reader, keys, guest, battlegroups, preflight });
  // After each operation the cache is invalidated, so that the next status shows its changes.
  operations.events.on('operation', ({ state: how }) => {
    if (how !== 'running') reader.forget();
    status.forget();
  });
  const backups = new Backups({
    ...{ guest, battlegroups, operations },
    store: new BackupStore(join(home, 'backups')),
    keepCount: (): number => automation.keepBackups,
  });
  const addressWatch = new AddressWatch(visibility, watched);
  const automation = new Automation({
    ...{ home, backups, battlegroups, operations, status, addressWatch, secrets, log, tickMs },
    announcements: new Announcements(guest, battlegroups),
  });
  const monitoring = new Monitoring({
    ...{ status, guest, log },
    store: new MonitoringStore(join(home, 'monitoring.sqlite')),
    intervalMs: config.sampleSeconds * 1_000,
  });
  return {
    audit,
    automation,
    backups,
    battlegroups,
    bootstrap: new Bootstrap({ bridge, guest, battlegroups, operations, secrets, pollMs }),
    bundle: new DiagnosticsBundle({ selftest, status, operations, store, audit, secrets }),
    exchange,
    characters: new Characters({ guest, battlegroups, operations, catalog: readTechCatalog(), home }),
    gameConfig: new GameConfig({ guest, battlegroups, operations, secrets, home }),
    importer: new Importer({ bridge, reader, vm, preflight, operations, state, vmName }),
    hostKeys,
    keyRecovery: new KeyRecovery({ bridge, config, guest, exchange, operations, secrets }),
    lock: new Lock({ config, guest, exchange, operations, secrets, state, reader }),
    network: new Network({ guest, reader, visibility, operations, state, pollMs, trialMs }),
    monitoring,
    operations,
    portCheck: new PortCheck({ guest, battlegroups, visibility }),
    preflight,
    progress: new SetupProgress({ preflight, status, reader, state, operations }),
    reader,
    reset: new Reset({
      backups,
      guest,
      bridge,
      reader,
      keys,
      battlegroups,
      operations,
      preflight,
      state,
      vmName,
    }),
    selftest,
    serverLogs: new ServerLogs({ guest, battlegroups, secrets }),
    starter,
    status,
    updates: new Updates({ url: config.updateUrl, version }),
    visibility,
    vm,
  };
}
