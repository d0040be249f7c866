// Assembles the agent's parts, and starts and stops them together.
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { BackupService } from './backups/backup-service.ts';
import { PlatformLink } from './bus/platform-link.ts';
import { offsetHeaders } from './bus/time-headers.ts';
import { watchClock, PlatformClock } from './clock.ts';
import type { CommandHandlers } from './commands/command-handler.ts';
import { consoleCommands } from './commands/console-line.ts';
import { CommandExecutor } from './commands/executor.ts';
import { CommandIntake } from './commands/intake.ts';
import { Journal } from './commands/journal.ts';
import { powerCommands } from './commands/power-commands.ts';
import type { Config } from './config.ts';
import { deliveryCommands } from './deliveries/delivery-commands.ts';
import { DeliveryRecords } from './deliveries/delivery-records.ts';
import { StateDirectory } from './state-files/state-directory.ts';
import { HeartbeatSender } from './heartbeat.ts';
import { Identity } from './identity.ts';
import { uuidv7, Messages, cutDetail } from './messages.ts';
import { FileService } from './instance-files/file-service.ts';
import { mapCommands } from './maps/map-commands.ts';
import { instanceHolder } from './managed-instances/instance-holder.ts';
import { ManagedInstanceReports } from './managed-instances/managed-instance-reports.ts';
import { ManagedInstances } from './managed-instances/managed-instances.ts';
import { Metrics } from './metrics.ts';
import { Outbox } from './outbox.ts';
import { PluginFileService } from './plugin-files/plugin-file-service.ts';
import { playerCommands } from './players/player-commands.ts';
import { PluginService } from './plugins/plugin-service.ts';
import { InstanceRequests } from './instance-requests.ts';
import { SessionClient } from './session.ts';
import type { StateNews } from './supervisor/instance.ts';
import { processHostFor } from './supervisor/process-host-for.ts';
import { Supervisor } from './supervisor/supervisor.ts';
import { AgentUpdates, type OwnInstallation } from './updates/agent-updates.ts';
import { WipeService } from './wipes/wipe-service.ts';

export interface Agent {
  stop: (reason: string) => Promise<void>;
}

const compactionMs = 24 * 3600_000;

/** Recovers the instances before connecting to the platform, so that no command meets a partly known host. */
export async function startAgent(
  fileConfig: Config,
  agentVersion: string,
  log: Logger,
  own: OwnInstallation,
  messages = new Messages(),
): Promise<Agent> {
  const host = processHostFor(process.platform);
  const directory = new StateDirectory(fileConfig.stateDirectory);
  const unlock = await directory.lock(host);
  const identity = await Identity.load(directory.seedFile);
  const boot = randomUUID();
  const platform = `${process.platform}-${process.arch}`;
  const managed = new ManagedInstances({
    settings: fileConfig.managedInstances,
    fileInstances: fileConfig.instances,
    stateDirectory: directory.path,
    log,
  });
  const config: Config = { ...fileConfig, instances: [...fileConfig.instances, ...managed.configs] };
  const clock = new PlatformClock(log);
  const journal = await Journal.open(directory.journalFile, messages, log);
  const records = await DeliveryRecords.open(directory.deliveriesFile, messages, log);
  const compaction = setInterval(() => {
    journal.compact().catch((error: unknown) => log.error({ err: error }, 'the journal cannot be compacted'));
  }, compactionMs);

  const outbox: Outbox = await Outbox.open({
    path: directory.outboxFile,
    messages,
    isOpen: () => link.isGreeted,
    request: (kind, body, timeoutMs) => link.request(kind, body, timeoutMs),
    onResultDelivered: (id) => {
      journal
        .deliver(id)
        .catch((error: unknown) => log.error({ err: error }, 'the journal cannot be written'));
    },
    log,
  });

  const stateSeqs = new Map<string, number>();
  const onState = (instance: string, news: StateNews) => {
    const seq = (stateSeqs.get(instance) ?? 0) + 1;
    stateSeqs.set(instance, seq);
    log.info({ instance, ...news }, 'state changed');
    outbox.addState({
      v: 1,
      id: uuidv7(),
      boot,
      seq,
      instance,
      state: news.state,
      at: clock.nowText(),
      ...(news.exitCode === undefined ? {} : { exit_code: news.exitCode }),
      ...(news.signal === undefined ? {} : { signal: news.signal }),
      ...(news.reason === undefined ? {} : { reason: cutDetail(news.reason) }),
    });
    heartbeat.sendSoon();
  };

  const supervisor: Supervisor = new Supervisor({
    config,
    directory,
    host,
    lastState: (instance) => outbox.lastState(instance),
    onState,
    publishConsole: (instance, payload) => link.publishConsole(instance, payload),
    nowText: () => clock.nowText(),
    log,
  });
  const files: FileService = new FileService({
    config,
    directory,
    openBackup: (instance, id) => backups.open(instance, id),
    messages,
    stagePlugin: (id, wanted) => plugins.receive(id, wanted),
    pluginFiles: {
      pathOf: (instance, file) => pluginFiles.pathOf(instance, file),
      stage: (instance, id) => pluginFiles.receive(instance, id),
    },
    sign: (text) => identity.sign(text),
    log,
  });
  const plugins: PluginService = new PluginService({
    supervisor,
    files: (name) => files.instance(name),
    directory,
    messages,
    clock,
    allowsPrivate: (url) => config.allowsPrivateModules || new URL(url).origin === new URL(config.url).origin,
    log,
  });
  const pluginFiles: PluginFileService = new PluginFileService({
    supervisor,
    files: (name) => files.instance(name),
    directory,
    log,
  });
  const backups = new BackupService({
    config,
    files: (name) => files.instance(name),
    supervised: (name) => supervisor.instance(name),
    boot,
    isOpen: () => link.isGreeted,
    request: (body, timeoutMs) => link.request('backups', body, timeoutMs),
    messages,
    clock,
    log,
  });
  const maps = mapCommands({ files: (name) => files.instance(name), log });
  const wipes = new WipeService({
    supervisor,
    files: (name) => files.instance(name),
    backups: (name) => backups.instance(name),
    onBackup: (name) => void backups.reports.send(name),
    directory,
    messages,
    clock,
    report: (report) => outbox.addWipeReport(report),
    untilEnded: (instance, verbs) => executor.untilEnded(instance, verbs),
    log,
  });
  const managedReports = new ManagedInstanceReports({
    boot,
    report: () => managed.report,
    isOpen: () => link.isGreeted,
    request: (body, timeoutMs) => link.request('managed-instances', body, timeoutMs),
    messages,
    log,
  });
  const holder = instanceHolder({
    supervisor,
    files,
    plugins,
    pluginFiles,
    backups,
    wipes,
    isBusy: (name, commandId) => executor.isBusyWith(name, commandId),
    report: async () => {
      heartbeat.sendSoon();
      await managedReports.send();
    },
  });
  const updates = new AgentUpdates({ ...own, platformUrl: config.url, agentVersion, platform, log });
  const handlers: CommandHandlers = {
    ...powerCommands((name) => supervisor.instance(name)),
    ...consoleCommands(),
    ...playerCommands(),
    ...files.commands,
    ...plugins.commands,
    ...pluginFiles.commands,
    ...backups.commands,
    ...maps,
    ...wipes.commands,
    ...deliveryCommands(records),
    ...managed.commands(holder),
    ...updates.commands,
  };
  const executor: CommandExecutor = new CommandExecutor({
    journal,
    outbox,
    instance: (name) => supervisor.instance(name),
    handlers,
    objectionTo: (command) => wipes.objectionTo(command),
    clock,
    log,
  });
  const intake = new CommandIntake({
    executor,
    handlers,
    messages,
    clock,
    hasInstance: (name) => supervisor.names.includes(name),
    log,
  });
  const instanceRequests = new InstanceRequests({ supervisor, plugins, wipes, messages, clock, log });
  const link: PlatformLink = new PlatformLink({
    sessions: new SessionClient({
      url: config.url,
      companionToken: config.companionToken,
      host: { hostname: config.hostname, agent_version: agentVersion, platform },
      identity,
      clock,
      log,
    }),
    busUrls: config.busUrls,
    identity,
    messages,
    clock,
    hello: () => ({
      v: 1,
      sent_at: clock.nowText(),
      agent_version: agentVersion,
      boot,
      platform,
      instances: supervisor.names,
    }),
    listener: {
      onGreeted: (intervalMs) => {
        updates.greeted();
        backups.reports.sendAll();
        void managedReports.send();
        wipes.greeted();
        outbox.flush();
        heartbeat.begin(intervalMs);
      },
      onCommand: (message, address) => intake.take(message, address),
      onRequest: (message, address) =>
        files.take(message, address) ?? instanceRequests.take(message, address),
    },
    log,
  });
  const heartbeat = new HeartbeatSender({
    boot,
    agentVersion,
    metrics: new Metrics(directory.path, host, log),
    clock,
    instances: () => supervisor.instances,
    isOpen: () => link.isGreeted,
    publish: (message) => link.publish('heartbeat', message, offsetHeaders(clock)),
  });

  managed.recover();
  await backups.recover();
  await supervisor.recover();
  files.recover();
  plugins.recover();
  await pluginFiles.recover();
  wipes.recover();
  await executor.recover();
  link.start();
  const clockWatch = watchClock(clock, () => link.renewSession(), log);

  return {
    stop: async (reason) => {
      clearInterval(compaction);
      clearInterval(clockWatch);
      executor.close();
      heartbeat.stop();
      wipes.close();
      pluginFiles.close();
      backups.reports.close();
      managedReports.close();
      await files.close();
      await supervisor.release();
      link.publish('bye', { v: 1, sent_at: clock.nowText(), boot, reason });
      await link.stop();
      await outbox.close();
      await journal.close();
      await records.close();
      unlock();
    },
  };
}
