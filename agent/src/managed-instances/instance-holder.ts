// Adds an instance to every part of the running agent that holds instances, and removes it from all of them.
import type { BackupService } from '../backups/backup-service.ts';
import type { FileService } from '../instance-files/file-service.ts';
import type { PluginFileService } from '../plugin-files/plugin-file-service.ts';
import type { PluginService } from '../plugins/plugin-service.ts';
import { failed } from '../supervisor/outcome.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';
import type { WipeService } from '../wipes/wipe-service.ts';
import { stillRunning } from './managed-instances.ts';
import type { InstanceHolder } from './managed-instances.ts';

export interface InstanceHolderParts {
  supervisor: Supervisor;
  files: FileService;
  plugins: PluginService;
  pluginFiles: PluginFileService;
  backups: BackupService;
  wipes: WipeService;
  /** Whether another command is running on the instance. */
  isBusy: (instance: string, commandId: string) => boolean;
  report: () => Promise<void>;
}

export function instanceHolder({
  supervisor,
  files,
  plugins,
  pluginFiles,
  backups,
  wipes,
  isBusy,
  report,
}: InstanceHolderParts): InstanceHolder {
  return {
    instance: (name) => supervisor.instance(name),
    add: async (instance) => {
      files.add(instance);
      await supervisor.add(instance);
      plugins.add(instance.name);
      pluginFiles.add(instance.name);
      await backups.add(instance);
    },
    reconfigure: (instance) => supervisor.reconfigure(instance),
    remove: async (name) => {
      wipes.forget(name);
      backups.remove(name);
      pluginFiles.remove(name);
      plugins.remove(name);
      files.remove(name);
      await supervisor.remove(name);
    },
    objectionToRemoval: async (name, commandId) => {
      if (wipes.isUnderWay(name)) return failed('wipe_under_way', 'The instance is being wiped.');
      if (isBusy(name, commandId))
        return failed('still_running', 'Another command is in progress on the instance.');
      const instance = supervisor.instance(name);
      if (instance === undefined || instance.isMeantToRun) return stillRunning;
      const stopped = await instance.stop();
      return stopped.isSuccess ? null : stopped;
    },
    report,
  };
}
